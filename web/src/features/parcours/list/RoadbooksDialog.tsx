import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { NewRoadbookBatch, RoadbookBatch } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Button, ButtonAnchor, IconButton } from '@/ui/button/Button'
import { Dialog } from '@/ui/dialog/Dialog'
import { Banner } from '@/ui/feedback/Banner'
import { Progress } from '@/ui/feedback/Progress'
import { toastError } from '@/ui/feedback/toast'
import { format, textOf } from '@/ui/format'
import { faultText, problemText } from '@/records/problem-text'
import { batchesQuery, batchFile, dropBatch, printBatch } from './roadbooks'
import classes from './roadbooks.module.css'

interface Props {
  request: NewRoadbookBatch
  /** Whose roadbooks, in a sentence. */
  chosen: string
  onClose: () => void
}

/** The roadbooks of many parcours, or of the client files of one: asked for here, printed on the server, taken away in one file. */
export default function RoadbooksDialog({ request, chosen, onClose }: Props) {
  const { t } = useTranslation('roadbookRuns')
  const cache = useQueryClient()
  const batches = useQuery(batchesQuery)
  const print = useMutation({
    mutationFn: () => printBatch(request),
    onSuccess: () => cache.invalidateQueries({ queryKey: batchesQuery.queryKey }),
  })
  // What was printed of clients is shown at their parcours alone.
  const of = request.client_files?.parcours_id ?? null
  const latest = batches.data?.filter((batch) => (batch.client_files_of ?? null) === of) ?? []
  const why = print.error ?? batches.error
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('title')}
      actions={
        <>
          <Button onClick={onClose}>{t('common:close')}</Button>
          <Button look="primary" busy={print.isPending} onClick={() => print.mutate()}>
            {t('print')}
          </Button>
        </>
      }
    >
      <div className={classes['body']}>
        <p>{of === null ? t('what') : t('whatClients')}</p>
        <p>{chosen}</p>
        {why !== null && (
          <Banner tone="danger" live="alert">
            {t('failed', { why: problemText(why) })}
          </Banner>
        )}
        {latest.length > 0 && (
          <section aria-labelledby="print-runs">
            <h3 id="print-runs">{t('latest')}</h3>
            <p className="small muted">{of === null ? t('kept') : t('keptClients')}</p>
            <ul className={classes['runs']}>
              {latest.map((batch) => (
                <Run key={batch.id} batch={batch} />
              ))}
            </ul>
          </section>
        )}
      </div>
    </Dialog>
  )
}

function Run({ batch }: { batch: RoadbookBatch }) {
  const { t } = useTranslation('roadbookRuns')
  const cache = useQueryClient()
  const drop = useMutation({
    mutationFn: () => dropBatch(batch.id),
    onError: (error) => toastError(problemText(error)),
    onSettled: () => cache.invalidateQueries({ queryKey: batchesQuery.queryKey }),
  })
  const [done, total] = [format.number(batch.done), format.number(batch.total)]
  const when = format.instant(batch.created_at)
  const outcome =
    batch.state === 'cancelled'
      ? t('cancelled', { done, total })
      : batch.printed === 0
        ? t('nothing')
        : t('printed', { count: batch.printed, printed: format.number(batch.printed) })
  return (
    <li className={classes['run']}>
      <div className={classes['head']}>
        {batch.state === 'running' ? (
          <Progress total={batch.total} done={batch.done}>
            {t('running', { done, total })}
          </Progress>
        ) : (
          <span className={classes['words']}>
            <strong>{outcome}</strong>
            <span className="small muted">{when}</span>
          </span>
        )}
        {batch.state === 'done' && batch.printed > 0 && (
          <ButtonAnchor size="small" href={batchFile(batch.id)} download icon={<IconDownload size={16} stroke={1.75} aria-hidden />}>
            {t('download', { size: format.bytes(batch.size_bytes ?? 0) })}
          </ButtonAnchor>
        )}
        {batch.state === 'running' ? (
          <Button size="small" busy={drop.isPending} onClick={() => drop.mutate()}>
            {t('stop')}
          </Button>
        ) : (
          <IconButton
            size="small"
            look="ghost"
            label={t('forget', { when })}
            icon={<IconTrash size={16} stroke={1.75} aria-hidden />}
            onClick={() => drop.mutate()}
          />
        )}
      </div>
      {batch.refused.length > 0 && (
        <details>
          <summary>{t('refused', { count: batch.refused.length, total: format.number(batch.refused.length) })}</summary>
          <ul>
            {batch.refused.map(({ id, client_file, title, code, params }) => (
              <li key={client_file ?? id}>
                {client_file == null ? textOf(title) : t('clientFile', { id: client_file })}
                {`${format.colon()}${faultText({ code: code ?? '', params: params ?? {} })}`}
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}
