import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Dialog } from '@/ui/dialog/Dialog'
import { useEditor, useEditorState } from '../editor/context'
import { isDirty } from '../editor/state'

/** Asks before the editor is left with unsaved changes; the draft stays on the device either way. */
export function LeaveGuard() {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const dirty = useEditorState(isDirty)
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty(editor.get()),
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  const saveAndLeave = async () => {
    if (await editor.save(false)) blocker.proceed()
    else blocker.reset()
  }
  return (
    <Dialog
      opened
      onClose={blocker.reset}
      title={t('leave.title')}
      actions={
        <>
          <Button onClick={blocker.reset}>{t('leave.stay')}</Button>
          <Button
            onClick={() => {
              void editor.keepDraft()
              blocker.proceed()
            }}
          >
            {t('leave.leave')}
          </Button>
          <Button look="primary" onClick={() => void saveAndLeave()}>
            {t('leave.save')}
          </Button>
        </>
      }
    >
      <p>{t('leave.text')}</p>
    </Dialog>
  )
}
