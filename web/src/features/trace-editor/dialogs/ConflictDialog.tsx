import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Dialog } from '@/ui/dialog/Dialog'
import { toastError } from '@/ui/feedback/toast'
import { format } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import { useEditor, useEditorState } from '../editor/context'
import { shownMeasured } from '../editor/shown'
import { present } from '../editor/state'
import classes from './dialogs.module.css'

/** Two users changed the same trace: the differences in words, and the choice. Closing the dialog keeps the draft. */
export function ConflictDialog() {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const conflict = useEditorState((state) => state.conflict)
  const mine = useEditorState((state) => shownMeasured(state).lengthM)
  const mySteps = useEditorState((state) => present(state).steps.length)
  const [busy, setBusy] = useState(false)
  if (!conflict) return null
  const close = () => editor.set({ conflict: null })
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      toastError(problemText(error))
    } finally {
      setBusy(false)
    }
  }
  const ago = format.ago(conflict.updated_at)
  const figures = (length: number, count: number) =>
    t('conflict.figures', { distance: format.km(length), steps: t('conflict.steps', { count }) })
  return (
    <Dialog
      opened
      onClose={close}
      size="medium"
      title={t('conflict.title')}
      actions={
        <>
          <Button look="ghost" onClick={close}>
            {t('conflict.later')}
          </Button>
          <Button busy={busy} onClick={() => void run(() => editor.takeTheirs())}>
            {t('conflict.takeTheirs')}
          </Button>
          <Button look="primary" busy={busy} onClick={() => void run(() => editor.save(false, conflict.version))}>
            {t('conflict.keepMine')}
          </Button>
        </>
      }
    >
      <p>{conflict.updated_by ? t('conflict.text', { name: conflict.updated_by.name, ago }) : t('conflict.textNobody', { ago })}</p>
      <dl className={classes['versions']}>
        <div>
          <dt>{t('conflict.theirs')}</dt>
          <dd className="num">{figures(conflict.trace?.distance_m ?? 0, conflict.steps.length)}</dd>
        </div>
        <div>
          <dt>{t('conflict.mine')}</dt>
          <dd className="num">{figures(mine, mySteps)}</dd>
        </div>
      </dl>
    </Dialog>
  )
}
