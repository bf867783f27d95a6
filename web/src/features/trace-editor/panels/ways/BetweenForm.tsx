import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from '@/i18n'
import { Field } from '@/ui/field/Field'
import { SelectInput } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { useEditor, useEditorState } from '../../editor/context'
import { present } from '../../editor/state'
import { stretches } from '../../logic/ways'
import { useStepName } from '../../words'
import classes from './ways.module.css'
import { stepLabels } from '@/records/parcours/step-labels'

/** Which stretch: between two steps, by the list or a press on the trace. The planner is asked at once. */
export function BetweenForm() {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const steps = useEditorState((state) => present(state).steps)
  const legs = useEditorState((state) => present(state).legs)
  const profile = useEditorState((state) => present(state).profile)
  const pressed = useEditorState((state) => state.marks[0])
  const nameOf = useStepName()
  const [key, setKey] = useState(() => editor.get().step)
  const all = useMemo(() => stretches(steps), [steps])
  const labels = useMemo(() => stepLabels(steps), [steps])
  const at = pressed === undefined ? undefined : all.find(({ from, to }) => pressed >= from.at_m && pressed <= to.at_m)
  const chosen = at ?? all.find(({ from }) => from.key === key) ?? all[0]
  const [fromM, toM] = [chosen?.from.at_m, chosen?.to.at_m]
  useEffect(() => {
    if (fromM !== undefined && toM !== undefined && !legs.some((leg) => leg.pending))
      editor.propose({ kind: 'ways', profile, from_m: fromM, to_m: toM })
  }, [editor, legs, profile, fromM, toM])
  if (!chosen) return <p className={classes['note']}>{t(steps.length < 2 ? 'ways.noStretch' : 'ways.sameEnds')}</p>
  const label = (one: (typeof steps)[number]): string => labels[steps.indexOf(one)] ?? ''
  return (
    <div className={classes['form']}>
      <Field label={t('ways.between')} hint={t('ways.betweenHint')}>
        {(wiring) => (
          <SelectInput
            {...wiring}
            value={String(chosen.from.key)}
            onChange={(value) => {
              setKey(Number(value))
              editor.set({ marks: [] })
            }}
            choices={all.map(({ from, to }) => ({
              value: String(from.key),
              label: t('ways.stretch', {
                from: label(from),
                to: label(to),
                names: `${nameOf(from, label(from))} – ${nameOf(to, label(to))}`,
                distance: format.distance(to.at_m - from.at_m),
              }),
            }))}
          />
        )}
      </Field>
    </div>
  )
}
