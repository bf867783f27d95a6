import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RoadbookBatch } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Button, ButtonAnchor, IconButton } from '@/ui/button/Button'
import { Dialog } from '@/ui/dialog/Dialog'
import { Banner } from '@/ui/feedback/Banner'
import { Progress } from '@/ui/feedback/Progress'
import { format, textOf } from '@/ui/format'
import { faultText, problemText } from '@/records/problem-text'
import { batchesQuery, batchFile, dropBatch, printBatch } from './roadbooks'
import classes from './roadbooks.module.css'

/** The roadbooks of many parcours: asked for here, printed on the server, taken away in one file. */
export default function RoadbooksDialog({ asked, onClose }: { asked: Record<string, string>; onClose: () => void }) {
  const { t } = useTranslation('parcours')
  const cache = useQueryClient()
  const batches = useQuery(batchesQuery)
  const print = useMutation({ mutationFn: () => printBatch(asked), onSuccess: () => cache.invalidateQueries({ queryKey: batchesQuery.queryKey }) })
  const ticked = asked['ids']?.split(',').length
  const why = print.error ?? batches.error
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('roadbooks.title')}
      actions={
        <>
          <Button onClick={onClose}>{t('common:close')}</Button>
          <Button look="primary" busy={print.isPending} onClick={() => print.mutate()}>
            {t('roadbooks.print')}
          </Button>
        </>
      }
    >
      <div className={classes['body']}>
        <p>{t('roadbooks.what')}</p>
        <p>{ticked === undefined ? t('roadbooks.whatAll') : t('roadbooks.whatTicked', { count: ticked, total: format.number(ticked) })}</p>
        {why !== null && (
          <Banner tone="danger" live="alert">
            {t('roadbooks.failed', { why: problemText(why) })}
          </Banner>
        )}
        {batches.data !== undefined && batches.data.length > 0 && (
          <section aria-labelledby="print-runs">
            <h3 id="print-runs">{t('roadbooks.latest')}</h3>
            <p className="small muted">{t('roadbooks.kept')}</p>
            <ul className={classes['runs']}>
              {batches.data.map((batch) => (
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
  const { t } = useTranslation('parcours')
  const cache = useQueryClient()
  const drop = useMutation({ mutationFn: () => dropBatch(batch.id), onSettled: () => cache.invalidateQueries({ queryKey: batchesQuery.queryKey }) })
  const [done, total] = [format.number(batch.done), format.number(batch.total)]
  const when = format.instant(batch.created_at)
  const outcome = batch.state === 'cancelled' ? t('roadbooks.cancelled', { done, total }) : batch.printed === 0 ? t('roadbooks.nothing') : t('roadbooks.printed', { count: batch.printed, printed: format.number(batch.printed) })
  return (
    <li className={classes['run']}>
      <div className={classes['head']}>
        {batch.state === 'running' ? (
          <Progress total={batch.total} done={batch.done}>
            {t('roadbooks.running', { done, total })}
          </Progress>
        ) : (
          <span className={classes['words']}>
            <strong>{outcome}</strong>
            <span className="small muted">{when}</span>
          </span>
        )}
        {batch.state === 'done' && batch.printed > 0 && (
          <ButtonAnchor size="small" href={batchFile(batch.id)} download icon={<IconDownload size={16} stroke={1.75} aria-hidden />}>
            {t('roadbooks.download', { size: format.bytes(batch.size_bytes ?? 0) })}
          </ButtonAnchor>
        )}
        {batch.state === 'running' ? (
          <Button size="small" busy={drop.isPending} onClick={() => drop.mutate()}>
            {t('roadbooks.stop')}
          </Button>
        ) : (
          <IconButton size="small" look="ghost" label={t('roadbooks.forget', { when })} icon={<IconTrash size={16} stroke={1.75} aria-hidden />} onClick={() => drop.mutate()} />
        )}
      </div>
      {batch.refused.length > 0 && (
        <details>
          <summary>{t('roadbooks.refused', { count: batch.refused.length, total: format.number(batch.refused.length) })}</summary>
          <ul>
            {batch.refused.map(({ id, title, code, params }) => (
              <li key={id}>
                {textOf(title)}
                {`${format.colon()}${faultText({ code: code ?? '', params: params ?? {} })}`}
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}
