import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { useTranslation } from '@/i18n'
import { Button, IconButton } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { Skeleton } from '@/ui/feedback/Skeleton'
import type { RoadbookSettings } from '@/api/types'
import type { Values } from '@/records/form/paths'
import type { FormStore } from '@/records/form/store'
import { problemText } from '@/records/problem-text'
import { useSheet } from '../context'
import { previewQuery, type PreviewedClient } from './queries'
import { Report } from './Report'
import classes from './roadbook.module.css'
import { spread, spreads } from './spreads'

/** Long enough for a word, short enough to follow. */
const pauseMs = 400

interface Props<V extends Values> {
  store: FormStore<V>
  /** The settings of the roadbook that is shown. */
  settingsOf: (values: V) => RoadbookSettings
  /** The client whose roadbook it is. */
  clientOf?: (values: V) => PreviewedClient
}

/** The roadbook as it would be printed, while it is set: an open book, leafed through. */
export function Preview<V extends Values>({ store, settingsOf, clientOf }: Props<V>) {
  const { t } = useTranslation('roadbook')
  const { parcours } = useSheet()
  const typed = useSyncExternalStore(store.subscribe, () => store.values)
  const [values] = useDebouncedValue(typed, pauseMs)
  const [open, setOpen] = useState(0)
  const settings = settingsOf(values)
  const double = settings.format === 'a5'
  const preview = useQuery({
    ...previewQuery(parcours.id, parcours.version, settings, spread(open, double), clientOf?.(values)),
    placeholderData: keepPreviousData,
  })
  const { data } = preview
  const last = data === undefined ? 0 : spreads(data.total, double) - 1
  // A roadbook that got shorter is shown at its end.
  if (data !== undefined && !preview.isPlaceholderData && open > last) setOpen(last)
  const behind = preview.isFetching || typed !== values
  const icon = { size: 18, stroke: 1.75, 'aria-hidden': true }
  return (
    <Card
      title={t('preview.title')}
      aside={
        <span className={classes['leaf']}>
          <IconButton
            size="small"
            look="ghost"
            label={t('preview.before')}
            disabledReason={open === 0 ? t('preview.first') : undefined}
            icon={<IconChevronLeft {...icon} />}
            onClick={() => setOpen(open - 1)}
          />
          <span className="small num" role="status">
            {data === undefined
              ? ''
              : t('preview.at', {
                  pages: spread(open, double)
                    .filter((page) => page <= data.total)
                    .join('–'),
                  total: data.total,
                })}
          </span>
          <IconButton
            size="small"
            look="ghost"
            label={t('preview.after')}
            disabledReason={open >= last ? t('preview.last') : undefined}
            icon={<IconChevronRight {...icon} />}
            onClick={() => setOpen(open + 1)}
          />
        </span>
      }
    >
      {preview.isError && (
        <Banner
          tone="danger"
          live="alert"
          actions={
            <Button size="small" onClick={() => void preview.refetch()}>
              {t('common:retry')}
            </Button>
          }
        >
          {t('because', { what: t('error.read'), why: problemText(preview.error) })}
        </Banner>
      )}
      {data === undefined && !preview.isError && <Skeleton height={360} />}
      {data !== undefined && (
        <div className={classes['book']} data-behind={behind || undefined} aria-busy={behind}>
          {data.pages.map(({ number, png }) => (
            <img key={number} src={`data:image/png;base64,${png}`} alt={t('preview.page', { number })} />
          ))}
        </div>
      )}
      {data !== undefined && <Report warnings={data.warnings} />}
    </Card>
  )
}
