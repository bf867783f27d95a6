import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ensureTexts, useTranslation } from '@/i18n'
import type { ClientFileFilter, ClientFileRow } from '@/api/types'
import { useCan, useMe } from '@/api/session'
import { Button, IconButton } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { ConfirmDialog } from '@/ui/dialog/ConfirmDialog'
import { lazyDialog } from '@/ui/dialog/lazy-dialog'
import { Banner } from '@/ui/feedback/Banner'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { toast, toastError } from '@/ui/feedback/toast'
import { draftKey, dropDrafts } from '@/records/form/draft'
import { format } from '@/ui/format'
import { Field } from '@/ui/field/Field'
import { DateInput, TextInput } from '@/ui/field/inputs'
import { useDebouncedText } from '@/ui/field/useDebouncedText'
import { Pager } from '@/ui/list/Pager'
import { problemText } from '@/records/problem-text'
import { useSheet } from '../../context'
import { PrintButton } from '../PrintButton'
import classes from './client-files.module.css'
import { clientFilesKey, clientFilesQuery, deleteClientFile } from './queries'
import type { WhichClientFile } from './useOpenClientFile'
import { clientFileDraft } from './values'

const RoadbooksDialog = lazyDialog(async () => {
  const [module] = await Promise.all([import('../../../list/RoadbooksDialog'), ensureTexts('roadbookRuns')])
  return module
})

interface Props {
  onOpen: (which: WhichClientFile) => void
  /** A client file was just left: the focus goes to this card. */
  focused: boolean
}

/** The clients of a trip: one file each, whose roadbook is printed from here. */
export function ClientFilesCard({ onOpen, focused }: Props) {
  const { t } = useTranslation('roadbook')
  const { parcours } = useSheet()
  const agency = useCan('agency.fields')
  const mayPrint = useCan('content.export')
  const [page, setPage] = useState(1)
  const [perPage, setPerPage] = useState(25)
  const [filter, setFilter] = useState<ClientFileFilter>({})
  const [erasing, setErasing] = useState<ClientFileRow | null>(null)
  const [printing, setPrinting] = useState(false)
  const result = useQuery(clientFilesQuery(parcours.id, page, perPage, filter))
  const filtered = Object.values(filter).some((value) => value != null)
  const add = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (focused) add.current?.focus()
  }, [focused])
  const { data } = result
  // The last file of the last page was deleted.
  if (data !== undefined && !result.isPlaceholderData && data.items.length === 0 && page > 1) setPage(page - 1)
  return (
    <Card
      title={t('clientFiles.title')}
      flush={filtered || (data !== undefined && data.items.length > 0)}
      aside={
        <>
          {data !== undefined && data.total > 1 && (
            <Button
              size="small"
              icon={<IconPrinter size={16} stroke={1.75} aria-hidden />}
              disabledReason={mayPrint ? undefined : t('download.notAllowed')}
              onClick={() => setPrinting(true)}
            >
              {t('clientFiles.printAll', { count: data.total, total: format.number(data.total) })}
            </Button>
          )}
          <Button
            ref={add}
            size="small"
            icon={<IconPlus size={16} stroke={1.75} aria-hidden />}
            disabledReason={agency ? undefined : t('reserved')}
            onClick={() => onOpen('new')}
          >
            {t('clientFiles.new')}
          </Button>
        </>
      }
    >
      {result.isError && (
        <Banner
          tone="danger"
          live="alert"
          actions={
            <Button size="small" onClick={() => void result.refetch()}>
              {t('common:retry')}
            </Button>
          }
        >
          {t('because', { what: t('clientFiles.error.read'), why: problemText(result.error) })}
        </Banner>
      )}
      {data === undefined && !result.isError && <Skeleton height={44} />}
      {(filtered || (data !== undefined && data.total > 1)) && (
        <ClientFilesFilter
          filter={filter}
          onChange={(next) => {
            setFilter(next)
            setPage(1)
          }}
        />
      )}
      {data?.items.length === 0 && (
        <p className={filtered ? classes['nothing'] : 'small muted'}>{filtered ? t('clientFiles.noneFound') : t('clientFiles.none')}</p>
      )}
      {data !== undefined && data.items.length > 0 && (
        <>
          <ul className={classes['list']} aria-label={t('clientFiles.title')} aria-busy={result.isFetching || undefined}>
            {data.items.map((row) => (
              <ClientFileItem key={row.id} row={row} agency={agency} onOpen={() => onOpen(row.id)} onErase={() => setErasing(row)} />
            ))}
          </ul>
          {data.total > 25 && (
            <Pager
              list={{
                page,
                perPage,
                setPage,
                setPerPage: (size) => {
                  setPerPage(size)
                  setPage(1)
                },
              }}
              total={data.total}
              capped={false}
              shown={data.items.length}
            />
          )}
        </>
      )}
      <EraseDialog row={erasing} onClose={() => setErasing(null)} />
      {printing && data !== undefined && (
        <RoadbooksDialog
          request={{ client_files: { parcours_id: parcours.id, filter } }}
          chosen={t(filtered ? 'clientFiles.chosenFiltered' : 'clientFiles.chosen', {
            count: data.total,
            total: format.number(data.total),
          })}
          onClose={() => setPrinting(false)}
        />
      )}
    </Card>
  )
}

/** By words of the file number and the names, and by the first day. */
function ClientFilesFilter({ filter, onChange }: { filter: ClientFileFilter; onChange: (filter: ClientFileFilter) => void }) {
  const { t } = useTranslation('roadbook')
  const { onBlur: _, ...words } = useDebouncedText(filter.q ?? '', (q) => onChange({ ...filter, q: q.trim() === '' ? null : q }), 250)
  return (
    // The words are sent anyway: Enter must not save the form around.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      className={classes['filter']}
      role="search"
      aria-label={t('clientFiles.search')}
      onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
    >
      <TextInput {...words} type="search" placeholder={t('clientFiles.search')} aria-label={t('clientFiles.search')} />
      <Field label={t('clientFiles.firstDay')}>
        {(wiring) => <DateInput {...wiring} value={filter.from ?? null} onChange={(from) => onChange({ ...filter, from })} />}
      </Field>
      <Field label={t('clientFiles.lastDay')}>
        {(wiring) => <DateInput {...wiring} value={filter.to ?? null} onChange={(to) => onChange({ ...filter, to })} />}
      </Field>
    </div>
  )
}

interface ItemProps {
  row: ClientFileRow
  agency: boolean
  onOpen: () => void
  onErase: () => void
}

function ClientFileItem({ row, agency, onOpen, onErase }: ItemProps) {
  const { t } = useTranslation('roadbook')
  const { reference } = row
  const when = format.instant(row.updated_at)
  return (
    <li className={classes['item']}>
      <button type="button" className={classes['open']} aria-label={t('clientFiles.open', { reference })} onClick={onOpen}>
        {reference}
      </button>
      <span className={classes['clients']}>
        {row.clients.length === 0 ? <span className="muted">{t('clientFiles.noNames')}</span> : row.clients.join(', ')}
      </span>
      <span className="small">
        {row.starts_on === null ? (
          <span className="muted">{t('clientFiles.noDay')}</span>
        ) : (
          t('clientFiles.from', { day: format.day(row.starts_on) })
        )}
      </span>
      <span
        className="small muted"
        title={row.updated_by === null ? t('savedOn', { when }) : t('savedAt', { when, by: row.updated_by.name })}
      >
        {t('clientFiles.changed', { when: format.ago(row.updated_at) })}
      </span>
      <span className={classes['acts']}>
        <PrintButton size="small" clientFile={row.id} aria-label={t('clientFiles.printOf', { reference })}>
          {t('clientFiles.print')}
        </PrintButton>
        <IconButton
          size="small"
          look="ghost"
          label={t('clientFiles.delete', { reference })}
          disabledReason={agency ? undefined : t('reserved')}
          icon={<IconTrash size={16} stroke={1.75} aria-hidden />}
          onClick={onErase}
        />
      </span>
    </li>
  )
}

/** A client file does not go to the bin: erasing it is final. */
function EraseDialog({ row, onClose }: { row: ClientFileRow | null; onClose: () => void }) {
  const { t } = useTranslation('roadbook')
  const { parcours } = useSheet()
  const cache = useQueryClient()
  const me = useMe()
  const erase = useMutation({
    mutationFn: (erased: ClientFileRow) => deleteClientFile(parcours.id, erased),
    onSuccess: (_, { id }) => {
      // Nor does this device keep what was typed of it.
      dropDrafts(draftKey(me.id, clientFileDraft, id))
      toast({ text: t('clientFiles.deleted') })
    },
    onError: (error) => toastError(t('because', { what: t('clientFiles.error.delete'), why: problemText(error) })),
    // Also after a refusal: another person changed it or deleted it.
    onSettled: () => cache.invalidateQueries({ queryKey: clientFilesKey(parcours.id) }),
  })
  return (
    <ConfirmDialog
      opened={row !== null}
      onClose={onClose}
      danger
      title={t('clientFiles.deleteTitle', { reference: row?.reference ?? '' })}
      confirm={t('clientFiles.deleteConfirm')}
      onConfirm={async () => {
        if (row !== null) await erase.mutateAsync(row).catch(() => undefined)
        onClose()
      }}
    >
      {t('clientFiles.deleteText')}
    </ConfirmDialog>
  )
}
