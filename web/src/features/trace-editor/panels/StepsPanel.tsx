import IconArrowsExchange from '@tabler/icons-react/dist/esm/icons/IconArrowsExchange.mjs'
import IconKeyboard from '@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { Count } from '@/ui/badge/Badge'
import { Button } from '@/ui/button/Button'
import { reverse } from '../editor/actions'
import { useEditor, useEditorState } from '../editor/context'
import { shownStepsOf } from '../editor/shown'
import { useSingleKeys } from '../useShortcuts'
import { AddStep } from './AddStep'
import { StepForm } from './StepForm'
import { StepRow } from './StepRow'
import classes from './steps.module.css'

/** The list of points, the map's equal: all that can be done on the map is done here without it. */
export function StepsPanel({ onShortcuts, narrow = false }: { onShortcuts: () => void; narrow?: boolean }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const steps = useEditorState(shownStepsOf)
  const singleKeys = useSingleKeys()
  const editable = useEditorState((state) => state.parcours.editable)
  const [editing, setEditing] = useState<number | null>(null)
  const [adding, setAdding] = useState(false)
  const naming = useEditorState((state) => state.naming?.key ?? null)
  const edited = steps.find((one) => one.step.key === (naming ?? editing))
  const back = () => {
    setEditing(null)
    editor.set({ naming: null })
  }
  if (edited) return <StepForm key={edited.step.key} shown={edited} onBack={back} />
  return (
    <>
      <div className={classes['head']}>
        <h2>{t('steps.title')}</h2>
        <Count>{steps.length}</Count>
        {editable && steps.length > 1 && (
          <Button
            look="ghost"
            size="small"
            className="end"
            icon={<IconArrowsExchange size={16} stroke={1.75} aria-hidden />}
            title={t('steps.reverseHint')}
            onClick={() => reverse(editor)}
          >
            {t('steps.reverse')}
          </Button>
        )}
      </div>
      <div className={classes['scroll']} data-narrow={narrow || undefined}>
        {steps.length === 0 ? (
          <p className={classes['none']}>{t('steps.none')}</p>
        ) : (
          <ol className={classes['list']} aria-label={t('steps.list')}>
            {steps.map((one, rank) => (
              <StepRow key={one.step.key} shown={one} rank={rank} onEdit={() => setEditing(one.step.key)} />
            ))}
          </ol>
        )}
        {editable && (
          <>
            <button
              type="button"
              className={classes['add']}
              aria-expanded={adding}
              onClick={() => {
                setAdding(!adding)
                editor.choose('step')
              }}
            >
              <IconPlus size={16} stroke={1.75} aria-hidden />
              {t('steps.add')}
              {singleKeys && <kbd>A</kbd>}
            </button>
            {adding && <AddStep onClose={() => setAdding(false)} />}
          </>
        )}
      </div>
      {!narrow && editable && (
        <div className={classes['hint']}>
          <strong>
            <IconKeyboard size={16} stroke={1.75} aria-hidden />
            {t('keyboard.title')}
          </strong>
          <p>{t('keyboard.hint')}</p>
          <Button look="link" size="small" onClick={onShortcuts}>
            {t('keyboard.all')}
          </Button>
        </div>
      )}
    </>
  )
}
