import { useTranslation } from '@/i18n'
import { ConfirmDialog } from '@/ui/dialog/ConfirmDialog'
import { ImpactList } from '@/records/impact/ImpactNote'
import { useEditor, useEditorState } from '../editor/context'

/** The effects of the new line, before it replaces the old one. */
export function ImpactDialog() {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const impact = useEditorState((state) => state.impact)
  if (impact === null) return null
  return (
    <ConfirmDialog
      opened
      onClose={() => editor.answerImpact(false)}
      title={t('impact.title')}
      confirm={t('impact.save')}
      onConfirm={() => editor.answerImpact(true)}
    >
      <ImpactList impact={impact} />
    </ConfirmDialog>
  )
}
