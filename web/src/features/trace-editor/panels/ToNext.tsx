import { useRef, useState } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { NumberBox } from '@/ui/field/NumberBox'
import { format } from '@/ui/format'
import { useEditor, useEditorState } from '../editor/context'
import { shownStepsOf } from '../editor/shown'
import { present } from '../editor/state'
import { withStep } from '../logic/operations'
import type { Step } from '../logic/revision'
import classes from './steps.module.css'

/** Texts of the two fields that are no numbers. */
const nothingUnread = { distance: null, duration: null }

/** Distance and duration to the next step: computed, unless the user types another. */
export function ToNext({ step }: { step: Step }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const steps = useEditorState(shownStepsOf)
  const saved = useEditorState((state) => state.parcours.steps.find((one) => one.id === step.id))
  const clean = useEditorState((state) => present(state).legs === state.saved.legs)
  const [unread, setUnread] = useState<{ distance: string | null; duration: string | null }>(nothingUnread)
  const fields = useRef<HTMLFieldSetElement>(null)
  const rank = steps.findIndex((one) => one.step.key === step.key)
  const [here, next] = [steps[rank], steps[rank + 1]]
  if (!here || !next) return null
  const change = (name: string, values: Partial<Omit<Step, 'key'>>) =>
    editor.act(`typed ${step.key} ${name}`, (revision) => withStep(revision, step.key, values), { id: 'changed' }, true)
  const computedS = clean && step.duration_to_next_typed_s === null ? saved?.duration_to_next_s : null
  return (
    <fieldset ref={fields} className={classes['place']}>
      <legend>{t('form.toNext')}</legend>
      <NumberBox
        label={t('form.distance')}
        hint={t('form.computed', { value: format.distance(next.at_m - here.at_m) })}
        value={step.distance_to_next_typed_m}
        unread={unread.distance}
        onUnreadable={(distance) => setUnread({ ...unread, distance })}
        onChange={(value) => change('distance', { distance_to_next_typed_m: value })}
        unit="m"
      />
      <NumberBox
        label={t('form.duration')}
        hint={typeof computedS === 'number' ? t('form.computed', { value: format.duration(computedS) }) : undefined}
        value={step.duration_to_next_typed_s === null ? null : Math.round(step.duration_to_next_typed_s / 60)}
        unread={unread.duration}
        onUnreadable={(duration) => setUnread({ ...unread, duration })}
        onChange={(value) => change('duration', { duration_to_next_typed_s: value === null ? null : value * 60 })}
        unit="min"
      />
      {(step.distance_to_next_typed_m !== null || step.duration_to_next_typed_s !== null) && (
        <Button
          look="link"
          size="small"
          onClick={() => {
            setUnread(nothingUnread)
            change('computed', { distance_to_next_typed_m: null, duration_to_next_typed_s: null })
            // The button goes away.
            fields.current?.querySelector('input')?.focus()
          }}
        >
          {t('form.backToComputed')}
        </Button>
      )}
    </fieldset>
  )
}
