import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { useCauseGone } from '@/records/form/useCauseGone'
import { useEditor, useEditorState } from '../editor/context'
import { useReason } from '../words'

/** Why the trace could not be saved, until it is dismissed or its cause is gone. */
export function SaveRefused() {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const problem = useEditorState((state) => state.saveProblem)
  const reason = useReason()
  const clear = () => editor.set({ saveProblem: null })
  useCauseGone(problem, clear)
  if (!problem) return null
  return (
    <Banner
      tone="danger"
      live="alert"
      actions={
        <Button look="link" size="small" onClick={clear}>
          {t('warn.dismiss')}
        </Button>
      }
    >
      {problem.status === 422 ? reason(problem) : t('save.failed', { reason: reason(problem) })}
    </Banner>
  )
}
