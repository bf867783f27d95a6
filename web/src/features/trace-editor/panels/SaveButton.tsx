import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Checkbox } from '@/ui/field/inputs'
import { toast } from '@/ui/feedback/toast'
import { PopoverButton } from '@/ui/menu/PopoverButton'
import { useEditor, useEditorState } from '../editor/context'
import { isDirty } from '../editor/state'
import { SaveRefused } from './SaveRefused'
import classes from './top.module.css'

/** Saves; on a phone the reason of a refusal is under the button, else among the notices over the map. The forced update is in its menu. */
export function SaveButton({ narrow }: { narrow: boolean }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const dirty = useEditorState(isDirty)
  const planning = useEditorState((state) => state.planning)
  const busy = useEditorState((state) => state.saving === 'running')
  const [forced, setForced] = useState(false)
  const save = async () => {
    if (await editor.save(forced)) {
      setForced(false)
      toast({ text: t('save.done') })
    }
  }
  const off = planning ? t('save.waiting') : dirty || forced ? undefined : t('save.nothing')
  return (
    <div className={classes['save']}>
      <Button look="primary" busy={busy} disabledReason={off} aria-keyshortcuts="Control+S" onClick={() => void save()}>
        {t(narrow ? 'save.short' : 'save.button')}
      </Button>
      {!narrow && (
        <PopoverButton
          label={t('save.more')}
          position="bottom-end"
          width={300}
          withinPortal={false}
          className={classes['forced']}
          button={
            <Button
              look="primary"
              className={classes['options']}
              aria-label={t('save.more')}
              title={t('save.more')}
              icon={<IconChevronDown size={16} stroke={2} aria-hidden />}
            />
          }
        >
          {() => <Checkbox label={t('save.forced')} hint={t('save.forcedHint')} checked={forced} onChange={setForced} />}
        </PopoverButton>
      )}
      {narrow && (
        <div className={classes['problem']}>
          <SaveRefused />
        </div>
      )}
    </div>
  )
}
