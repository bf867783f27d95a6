import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Field } from '@/ui/field/Field'
import { SelectInput, TextInput } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { payload } from '@/api/payload'
import { addAfter, addOnLine, toWorking } from '../editor/actions'
import { useEditor, useEditorState } from '../editor/context'
import { shownMeasured, shownStepsOf } from '../editor/shown'
import { parseCoordinates } from '../logic/geo'
import { positionAt } from '@/records/map/line'
import { isSwapped } from '@/records/map/point'
import { useStepName } from '../words'
import { KmField, outside } from './KmField'
import classes from './steps.module.css'

/** A step without the map: at a kilometre of the line, or at coordinates. */
export function AddStep({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('trace')
  const line = useEditorState(shownMeasured)
  return (
    <div className={classes['adding']}>
      <p className={classes['note']}>
        <strong>{t('addStep.onMap')}</strong> {t('addStep.onMapHint')}
      </p>
      {line.lengthM > 0 && <ByKm />}
      <ByCoordinates />
      <Button look="ghost" size="small" onClick={onClose}>
        {t('addStep.close')}
      </Button>
    </div>
  )
}

function ByKm() {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const line = useEditorState(shownMeasured)
  const [km, setKm] = useState<number | null>(null)
  const [attempted, setAttempted] = useState(false)
  const bad = outside(km, line.lengthM) || (attempted && km === null)
  const add = () => {
    const at = (km ?? 0) * 1000
    const position = positionAt(line, at)
    setAttempted(true)
    if (km === null || outside(km, line.lengthM) || !position) return
    addOnLine(editor, toWorking(editor, { atM: at, position }))
    setKm(null)
    setAttempted(false)
  }
  return (
    <form
      className={classes['inline']}
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <KmField label={t('addStep.byKm')} value={km} onChange={setKm} bad={bad} length={line.lengthM} />
      <Button type="submit" size="small">
        {t('addStep.addKm')}
      </Button>
    </form>
  )
}

function ByCoordinates() {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const steps = useEditorState(shownStepsOf)
  const nameOf = useStepName()
  const [text, setText] = useState('')
  const [after, setAfter] = useState<string | null>(null)
  const [bad, setBad] = useState<'unreadable' | 'swapped' | null>(null)
  const add = () => {
    const place = parseCoordinates(text)
    const wrong = place === null ? 'unreadable' : isSwapped(place, payload().map.bbox) ? 'swapped' : null
    setBad(wrong)
    if (wrong !== null || !place) return
    addAfter(editor, after === null ? null : Number(after), place)
    setText('')
  }
  return (
    <form
      className={classes['inline']}
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <Field
        label={t('addStep.byCoordinates')}
        hint={t('form.coordinatesHint')}
        error={bad === null ? undefined : t(bad === 'swapped' ? 'form.coordinatesSwapped' : 'form.coordinatesBad')}
      >
        {(wiring) => <TextInput {...wiring} value={text} onChange={setText} autoComplete="off" />}
      </Field>
      {steps.length > 1 && (
        <Field label={t('addStep.after')}>
          {(wiring) => (
            <SelectInput
              {...wiring}
              value={after}
              onChange={setAfter}
              empty={t('addStep.atEnd')}
              choices={steps.slice(0, -1).map((one) => ({
                value: String(one.step.key),
                label: `${one.label} · ${nameOf(one.step, one.label)} · ${format.km(one.at_m)}`,
              }))}
            />
          )}
        </Field>
      )}
      <Button type="submit" size="small">
        {t('addStep.addCoordinates')}
      </Button>
    </form>
  )
}
