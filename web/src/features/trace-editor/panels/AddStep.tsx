import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Field } from '@/ui/field/Field'
import { NumberInput, SelectInput, TextInput } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { addAfter, addOnLine, toWorking } from '../editor/actions'
import { useEditor, useEditorState } from '../editor/context'
import { shownMeasured, shownStepsOf } from '../editor/shown'
import { parseCoordinates } from '../logic/geo'
import { positionAt } from '@/ui/map/line'
import { bareKm, useStepName } from '../words'
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
  const bad = km !== null && (km < 0 || km * 1000 > line.lengthM)
  const add = () => {
    const at = (km ?? 0) * 1000
    const position = positionAt(line, at)
    if (km === null || bad || !position) return
    addOnLine(editor, toWorking(editor, { atM: at, position }))
    setKm(null)
  }
  return (
    <form
      className={classes['inline']}
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <Field label={t('addStep.byKm')} error={bad ? t('form.kmBad', { max: bareKm(line.lengthM) }) : undefined}>
        {(wiring) => <NumberInput {...wiring} value={km} onChange={setKm} decimals={3} unit="km" />}
      </Field>
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
  const [bad, setBad] = useState(false)
  const add = () => {
    const place = parseCoordinates(text)
    setBad(place === null)
    if (!place) return
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
      <Field label={t('addStep.byCoordinates')} hint={t('form.coordinatesHint')} error={bad ? t('form.coordinatesBad') : undefined}>
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
              choices={steps.slice(0, -1).map((one) => ({ value: String(one.step.key), label: `${one.label} · ${nameOf(one.step, one.label)} · ${format.km(one.at_m)}` }))}
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
