import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Media, WhiteLabel } from '@/api/types'
import { payload } from '@/api/payload'
import { resourceApi } from '@/api/resource'
import { currentLocale, useTranslation } from '@/i18n'
import { Segments } from '@/ui/field/inputs'
import { isColor } from '@/records/form/ColorField'
import { useField } from '@/records/form/form-context'
import classes from './white-labels.module.css'

const pages = ['home', 'parcours'] as const
type PreviewPage = (typeof pages)[number]

/** Long enough for a word, short enough to follow. */
const pauseMs = 400
/** A logo that was just sent has its sizes after a moment. */
const processingMs = 1000

/** The public pages of the white-label, in the look that is being edited. */
export function Preview({ record }: { record: WhiteLabel | null }) {
  const { t } = useTranslation('whiteLabels')
  const [page, setPage] = useState<PreviewPage>('home')
  const look = useLook()
  const address =
    record === null
      ? null
      : `${payload().api_base}/api/v1/white-labels/${record.id}/preview?${new URLSearchParams({ page, language: currentLocale(), ...look })}`
  const [shown] = useDebouncedValue(address, pauseMs)
  const isProcessing = useProcessing(look.logo_media_id)
  return (
    <section className={classes['preview']} aria-label={t('preview.title')}>
      <div className={classes['previewHead']}>
        <h2>{t('preview.title')}</h2>
        <Segments<PreviewPage>
          label={t('preview.page')}
          value={page}
          onChange={setPage}
          choices={pages.map((value) => ({ value, label: t(`preview.${value}`) }))}
        />
      </div>
      {shown === null ? (
        <p className="small muted">{t('preview.later')}</p>
      ) : (
        <>
          {/* A new frame for each address: a frame that goes from one to another would fill the history of the browser. */}
          {/* oxlint-disable-next-line react/iframe-missing-sandbox -- our own page, which needs its session, its scripts and its fonts */}
          <iframe key={`${shown} ${isProcessing}`} className={classes['frame']} src={shown} title={t('preview.frame')} />
          <p className="small">
            <a href={shown} target="_blank" rel="noopener">
              {t('preview.large')}
            </a>
          </p>
          <p className="tiny muted">{t('preview.note')}</p>
        </>
      )}
    </section>
  )
}

/** The edited values as parameters of the preview: an empty value removes the saved one, an incomplete colour keeps the saved one. */
function useLook() {
  const name = useField<string>('name').value
  const colors = useField<WhiteLabel['colors']>('colors').value
  const fonts = useField<WhiteLabel['fonts']>('fonts').value
  const logo = useField<number | null>('logo_media_id').value
  const typed = Object.entries(colors).filter(([, color]) => color === null || isColor(color))
  const number = (id: number | null) => (id === null ? '' : String(id))
  return {
    name,
    logo_media_id: number(logo),
    title_media_id: number(fonts.title_media_id),
    text_media_id: number(fonts.text_media_id),
    ...Object.fromEntries(typed.map(([part, color]) => [part, color ?? ''])),
  }
}

/** Whether the sizes of a picture are still being made, asked again until they are there. */
function useProcessing(id: string): boolean {
  const { data } = useQuery({
    queryKey: ['media', 'list', 'made', id],
    queryFn: () => resourceApi<Media>('/api/v1/medias').list({ ids: id, per_page: 1 }),
    enabled: id !== '',
    refetchInterval: ({ state: { data } }) => (isProcessing(data?.items) ? processingMs : false),
  })
  return isProcessing(data?.items)
}

const isProcessing = (media: readonly Media[] = []): boolean => media.some(({ state }) => state === 'processing')
