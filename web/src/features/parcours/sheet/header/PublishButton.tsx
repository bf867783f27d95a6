import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation, currentLocale } from '@/i18n'
import type { ChannelStamp, Parcours } from '@/api/types'
import { ProblemError } from '@/api/problem'
import { useCan } from '@/api/session'
import { Button } from '@/ui/button/Button'
import { copyText } from '@/ui/copy'
import { toast, toastError } from '@/ui/feedback/toast'
import { useDirtyCount } from '@/records/form/form-context'
import { useImpactGuard } from '@/records/impact/useImpactGuard'
import { absolute } from '@/ui/LinkBox'
import { problemText } from '@/records/problem-text'
import { useSheet } from '../context'
import { retryOnConflict } from '../retry-on-conflict'
import { parcoursQuery, publish, share, sharesQuery } from '../queries'
import { EmptyPassportDialog } from './EmptyPassportDialog'

/** The server sends any slug on to the right one. */
export const publicPageOf = (id: number): string => `${currentLocale() === 'en' ? '/en' : ''}/p/parcours-${id}`

/** Whether no channel can publish the parcours yet. */
const isEmpty = (passport: readonly ChannelStamp[] | undefined): boolean =>
  passport !== undefined && passport.length > 0 && passport.every(({ state }) => state === 'missing')

/** Publishes or unpublishes. Unsaved changes are saved first, so that the published record is the one on the screen. */
export function usePublish() {
  const { t } = useTranslation('sheet')
  const { parcours, form, cacheRecord, goTo } = useSheet()
  const allowed = useCan('content.publish')
  const cache = useQueryClient()
  const after = useAfterPublishing()
  const [confirming, setConfirming] = useState(false)
  const on = !parcours.published
  const mutation = useMutation({
    mutationFn: async (sure: boolean): Promise<Parcours | null> => {
      if (on && !(await form.save())) return null
      const now = cache.getQueryData(parcoursQuery(parcours.id).queryKey) ?? parcours
      if (on && !sure && isEmpty(now.passport)) {
        setConfirming(true)
        return null
      }
      return await retryOnConflict(now.version, (at) => publish(parcours.id, at, on))
    },
    onSuccess: (answer) => {
      if (answer === null) return
      cacheRecord(answer)
      toast({
        text: t(answer.published ? 'done.published' : 'done.unpublished'),
        ...(answer.published ? { action: after, stayMs: 20_000 } : {}),
      })
    },
    onError: (error) => {
      toastError(t('error.because', { what: t(on ? 'error.publish' : 'error.unpublish'), why: problemText(error) }))
      if (!(error instanceof ProblemError) || error.faults.length === 0) return
      form.store.setFaults(error.faults)
      goTo(form.store.faultPaths()[0] ?? 'title')
    },
  })
  const guard = useImpactGuard({ kind: 'parcours', action: 'unpublish', title: t('unpublishAsk'), confirm: t('unpublish') })
  const run = () => (on ? mutation.mutate(false) : guard.ask(parcours.id, () => mutation.mutate(true)))
  const dialog = (
    <>
      {guard.dialog}
      {confirming && (
        <EmptyPassportDialog
          onClose={() => setConfirming(false)}
          onPublish={() => {
            setConfirming(false)
            mutation.mutate(true)
          }}
        />
      )}
    </>
  )
  return { on, busy: mutation.isPending, run, dialog, reason: allowed ? undefined : t('notAllowed') }
}

/** The actions after a publication: open the page, copy its link, print its QR code. */
function useAfterPublishing() {
  const { t } = useTranslation('sheet')
  const { parcours, openTab } = useSheet()
  const cache = useQueryClient()
  const toCode = async () => {
    try {
      const { permanent } = await cache.fetchQuery(sharesQuery(parcours.id))
      if (permanent === null) await share(parcours.id, null)
      await cache.invalidateQueries({ queryKey: sharesQuery(parcours.id).queryKey })
    } catch (error) {
      toastError(t('error.because', { what: t('error.action'), why: problemText(error) }))
    }
    openTab('sharing')
  }
  const page = publicPageOf(parcours.id)
  return [
    { label: t('seePage'), run: () => void window.open(page, '_blank', 'noopener') },
    {
      label: t('copyLink'),
      run: () => void copyText(absolute(page), { done: t('common:link.copied'), failed: t('common:link.copyFailed') }),
    },
    { label: t('qrCode'), run: () => void toCode() },
  ]
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
