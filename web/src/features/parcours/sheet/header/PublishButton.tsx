import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '@/i18n'
import { ProblemError } from '@/api/problem'
import { useCan } from '@/api/session'
import { Button } from '@/ui/button/Button'
import { toast, toastError } from '@/ui/feedback/toast'
import { useDirtyCount } from '@/ui/form/form-context'
import { useImpactGuard } from '@/ui/impact/useImpactGuard'
import { problemText } from '@/ui/problem-text'
import { useSheet } from '../context'
import { overFreshVersion } from '../fresh'
import { parcoursQuery, publish } from '../queries'

/** Publish or unpublish. What is typed is saved first: what goes out is what is seen. */
export function usePublish() {
  const { t } = useTranslation('sheet')
  const { parcours, form, take, goTo } = useSheet()
  const allowed = useCan('content.publish')
  const cache = useQueryClient()
  const on = !parcours.published
  const mutation = useMutation({
    mutationFn: async () => {
      if (on && !(await form.save())) return null
      const version = cache.getQueryData(parcoursQuery(parcours.id).queryKey)?.version ?? parcours.version
      return await overFreshVersion(version, (at) => publish(parcours.id, at, on))
    },
    onSuccess: (answer) => {
      if (answer === null) return
      take(answer)
      toast({ text: t(answer.published ? 'done.published' : 'done.unpublished') })
    },
    onError: (error) => {
      toastError(t('error.because', { what: t(on ? 'error.publish' : 'error.unpublish'), why: problemText(error) }))
      if (!(error instanceof ProblemError) || error.faults.length === 0) return
      form.store.setFaults(error.faults)
      goTo(form.store.faultPaths()[0] ?? 'title')
    },
  })
  const guard = useImpactGuard({ kind: 'parcours', action: 'unpublish', title: t('unpublishAsk'), confirm: t('unpublish') })
  const run = () => (on ? mutation.mutate() : guard.ask(parcours.id, () => mutation.mutate()))
  return { on, busy: mutation.isPending, run, dialog: guard.dialog, reason: allowed ? undefined : t('notAllowed') }
}

export function PublishButton() {
  const { t } = useTranslation('sheet')
  const { on, busy, run, dialog, reason } = usePublish()
  const count = useDirtyCount(useSheet().form.store)
  return (
    <>
      <Button busy={busy} disabledReason={reason} onClick={run} title={on && count > 0 ? t('publishSaves', { count }) : undefined}>
        {t(on ? 'publish' : 'unpublish')}
      </Button>
      {dialog}
    </>
  )
}
