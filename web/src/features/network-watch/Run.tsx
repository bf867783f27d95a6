import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { WatchNetwork, WatchRun, WatchState } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Badge } from '@/ui/badge/Badge'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { Progress } from '@/ui/feedback/Progress'
import { toastError } from '@/ui/feedback/toast'
import { format } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import classes from './network-watch.module.css'
import { runAgain, watchQuery } from './watch'

/** The old and the new data of the network, and the progress of the check of the parcours. */
export function Run({ watch }: { watch: WatchState }) {
  const { t } = useTranslation('watch')
  const { run } = watch
  if (run === null) {
    return (
      <div className={classes['first']}>
        <EmptyState title={t('never.title')} text={t('never.text')} actions={watch.may_run ? <Again /> : null} />
      </div>
    )
  }
  return (
    <section className={classes['run']} aria-label={t('run.label')} aria-busy={run.state === 'running'}>
      <div className={classes['networks']}>
        {run.forced ? (
          <Network network={run.after} label={t('run.same')} />
        ) : (
          <>
            <Network network={run.before} label={t('run.before')} />
            <IconArrowRight size={18} stroke={1.75} aria-hidden />
            <Network network={run.after} label={t('run.after')} />
          </>
        )}
      </div>
      <State run={run} />
      {watch.may_run && run.state !== 'running' && <Again />}
    </section>
  )
}

function Network({ network, label }: { network: WatchNetwork | null; label: string }) {
  const { t } = useTranslation('watch')
  return (
    <div className={classes['network']}>
      <span className="small muted">{label}</span>
      <strong>{network?.data_date ? t('run.of', { day: format.day(network.data_date) }) : t('run.unknown')}</strong>
    </div>
  )
}

function State({ run }: { run: WatchRun }) {
  const { t } = useTranslation('watch')
  const by = run.forced && run.asked_by ? ` ${t('run.askedBy', { name: run.asked_by.name })}` : ''
  if (run.state === 'running') {
    return (
      <Progress total={run.total} done={run.scored}>
        {t('run.running', { count: run.total, scored: format.number(run.scored), total: format.number(run.total) })}
        {by}
      </Progress>
    )
  }
  if (run.state === 'failed') {
    return (
      <p className={classes['progress']}>
        <Badge tone="warn">{t('run.failed')}</Badge> {t('run.failedText')}
      </p>
    )
  }
  return (
    <p className={classes['progress']}>
      {t('run.done', { count: run.total, total: format.number(run.total), when: format.ago(run.finished_at ?? run.started_at) })}
      {by}
      {run.failed > 0 && ` ${t('run.notScored', { count: run.failed })}`}
    </p>
  )
}

/** A superadmin has everything scored again on the network in use. */
function Again() {
  const { t } = useTranslation('watch')
  const cache = useQueryClient()
  const send = useMutation({
    mutationFn: runAgain,
    onSuccess: (state) => cache.setQueryData(watchQuery.queryKey, state),
    onError: (error) => toastError(problemText(error)),
  })
  return (
    <Button
      size="small"
      look="ghost"
      icon={<IconRefresh size={16} stroke={1.75} aria-hidden />}
      busy={send.isPending}
      onClick={() => send.mutate()}
    >
      {t('run.again')}
    </Button>
  )
}
