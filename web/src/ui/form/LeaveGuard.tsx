import { useBlocker } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { hasSignedOut } from '@/api/who'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Dialog } from '@/ui/dialog/Dialog'
import { useDirtyCount } from './form-context'
import type { Values } from './paths'
import type { FormStore } from './store'

/** Does a move leave the page? Another language, tab or filter of the same page doesn't. */
export const leaves = (from: string, to: string): boolean => from !== to

/** Asks before any way out of a form with unsaved changes: a link, Back, a closed tab. */
export function LeaveGuard<V extends Values>({ store, save }: { store: FormStore<V>; save: () => Promise<boolean> }) {
  const { t } = useTranslation()
  const count = useDirtyCount(store)
  const [busy, setBusy] = useState(false)
  const guard = useBlocker({
    shouldBlockFn: ({ current, next }) => store.dirtyPaths().length > 0 && leaves(current.pathname, next.pathname),
    enableBeforeUnload: false,
    withResolver: true,
  })
  useEffect(() => {
    const hold = (event: BeforeUnloadEvent) => {
      if (store.dirtyPaths().length > 0 && !hasSignedOut()) event.preventDefault()
    }
    window.addEventListener('beforeunload', hold)
    return () => window.removeEventListener('beforeunload', hold)
  }, [store])
  const stay = () => guard.reset?.()
  const saveAndGo = async () => {
    setBusy(true)
    const saved = await save()
    setBusy(false)
    if (saved) guard.proceed?.()
    else stay()
  }
  return (
    <Dialog
      opened={guard.status === 'blocked'}
      onClose={stay}
      title={t('form.leaveTitle')}
      actions={
        <>
          <Button onClick={() => guard.proceed?.()}>{t('form.leaveAnyway')}</Button>
          <Button onClick={stay} data-autofocus>
            {t('form.stay')}
          </Button>
          <Button look="primary" busy={busy} onClick={() => void saveAndGo()}>
            {t('form.saveAndLeave')}
          </Button>
        </>
      }
    >
      {t('form.leaveText', { count })}
    </Dialog>
  )
}
