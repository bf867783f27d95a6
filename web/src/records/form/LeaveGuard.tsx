import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { hasSignedOut } from '@/api/signed-in-user'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Dialog } from '@/ui/dialog/Dialog'
import { useDirtyCount } from './form-context'
import type { Unsaved } from './unsaved'
import { asksFirst } from '@/ui/page-change'

/** Whether a navigation leaves the page. Another tab or filter of the same page does not; a change of language asks its own question. */
export const leaves = (from: string, to: string): boolean => from !== to

interface LeaveGuardProps {
  store: Unsaved
  /** Without it the form is left or not, and another language is not asked about: the page and its values stay. */
  save?: () => Promise<boolean>
  /** Whether a draft of what is not saved is kept on this device. */
  draft?: boolean
}

/** Asks before a form with unsaved changes is left: by a link, Back, closing the tab, or another language. */
export function LeaveGuard({ store, save, draft = true }: LeaveGuardProps) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const answer = useRef<((go: boolean) => void) | null>(null)
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
  const saves = save !== undefined
  useEffect(() => {
    if (!saves) return undefined
    return asksFirst(() => {
      if (store.dirtyPaths().length === 0) return Promise.resolve(true)
      setAsking(true)
      return new Promise<boolean>((resolve) => {
        answer.current = resolve
      })
    })
  }, [store, saves])
  const settle = (go: boolean) => {
    answer.current?.(go)
    answer.current = null
    setAsking(false)
  }
  return (
    <>
      <Ask
        opened={guard.status === 'blocked'}
        store={store}
        save={save}
        go={() => guard.proceed?.()}
        stay={() => guard.reset?.()}
        words={(count) => ({
          title: t('form.leaveTitle'),
          text: t(draft ? 'form.leaveText' : 'form.leaveLost', { count }),
          anyway: t('form.leaveAnyway'),
          stay: t('form.stay'),
          save: t('form.saveAndLeave'),
        })}
      />
      <Ask
        opened={asking}
        store={store}
        save={save}
        go={() => settle(true)}
        stay={() => settle(false)}
        words={(count) => ({
          title: t('form.localeTitle'),
          text: t('form.localeText', { count }),
          anyway: t('form.localeAnyway'),
          stay: t('form.localeStay'),
          save: t('form.localeSave'),
        })}
      />
    </>
  )
}

interface AskProps {
  opened: boolean
  store: Unsaved
  save: (() => Promise<boolean>) | undefined
  go: () => void
  stay: () => void
  words: (count: number) => { title: string; text: string; anyway: string; stay: string; save: string }
}

function Ask({ opened, store, save, go, stay, words }: AskProps) {
  const texts = words(useDirtyCount(store))
  const [busy, setBusy] = useState(false)
  const saveAndGo = async (save: () => Promise<boolean>) => {
    setBusy(true)
    const saved = await save()
    setBusy(false)
    if (saved) go()
    else stay()
  }
  return (
    <Dialog
      opened={opened}
      size="medium"
      onClose={stay}
      title={texts.title}
      actions={
        <>
          <Button onClick={go}>{texts.anyway}</Button>
          <Button onClick={stay} data-autofocus>
            {texts.stay}
          </Button>
          {save !== undefined && (
            <Button look="primary" busy={busy} onClick={() => void saveAndGo(save)}>
              {texts.save}
            </Button>
          )}
        </>
      }
    >
      {texts.text}
    </Dialog>
  )
}
