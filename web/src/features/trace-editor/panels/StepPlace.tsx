import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { Button, IconButton } from '@/ui/button/Button'
import { Field } from '@/ui/field/Field'
import { Segments, TextInput } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { moveTo, slideTo, toWorking } from '../editor/actions'
import { useEditor, useEditorState } from '../editor/context'
import { type ShownStep, shownMeasured } from '../editor/shown'
import { payload } from '@/api/payload'
import { offsetBy, parseCoordinates } from '../logic/geo'
import { positionAt } from '@/records/map/line'
import { isSwapped } from '@/records/map/point'
import { KmField, kmOf } from './KmField'
import classes from './steps.module.css'

/** Where a step is, and the three ways to put it elsewhere without the map: a kilometre, coordinates, arrows. */
export function StepPlace({ shown }: { shown: ShownStep }) {
  const { t } = useTranslation('trace')
  const { step } = shown
  const inner = step.kind !== 'departure' && step.kind !== 'arrival'
  return (
    <fieldset className={classes['place']}>
      <legend>{t('form.place')}</legend>
      {inner && <AtKm shown={shown} />}
      <AtCoordinates shown={shown} />
      <Nudge shown={shown} />
    </fieldset>
  )
}

function AtKm({ shown }: { shown: ShownStep }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const line = useEditorState(shownMeasured)
  const [km, setKm] = useState(kmOf(shown.at_m))
  // Moved, the step is elsewhere: the field keeps the focus and takes the new value.
  const [of, setOf] = useState(shown.at_m)
  if (of !== shown.at_m) {
    setOf(shown.at_m)
    setKm(kmOf(shown.at_m))
  }
  const bad = km === null || km < 0 || km * 1000 > line.lengthM + 0.5
  return (
    <form
      className={classes['inline']}
      onSubmit={(event) => {
        event.preventDefault()
        const at = (km ?? 0) * 1000
        const position = positionAt(line, at)
        if (!bad && position) slideTo(editor, shown.step.key, toWorking(editor, { atM: at, position }))
      }}
    >
      <KmField label={t('form.km')} value={km} onChange={setKm} bad={bad && line.lengthM > 0} length={line.lengthM} />
      <Button type="submit" size="small">
        {t('form.goKm')}
      </Button>
    </form>
  )
}

function AtCoordinates({ shown }: { shown: ShownStep }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const [lon, lat] = shown.step.position
  const here = `${format.number(lat, 5)} ${format.number(lon, 5)}`
  const [text, setText] = useState(here)
  const [bad, setBad] = useState<'unreadable' | 'swapped' | null>(null)
  const [of, setOf] = useState(here)
  if (of !== here) {
    setOf(here)
    setText(here)
    setBad(null)
  }
  return (
    <form
      className={classes['inline']}
      onSubmit={(event) => {
        event.preventDefault()
        const place = parseCoordinates(text)
        const wrong = place === null ? 'unreadable' : isSwapped(place, payload().map.bbox) ? 'swapped' : null
        setBad(wrong)
        if (place && wrong === null) moveTo(editor, shown.step.key, place, { free: false, onLineWithinM: 1 })
      }}
    >
      <Field
        label={t('form.coordinates')}
        error={bad === null ? undefined : t(bad === 'swapped' ? 'form.coordinatesSwapped' : 'form.coordinatesBad')}
      >
        {(wiring) => <TextInput {...wiring} value={text} onChange={setText} autoComplete="off" />}
      </Field>
      <Button type="submit" size="small">
        {t('form.goThere')}
      </Button>
    </form>
  )
}

const moves = [
  { name: 'north', Icon: IconArrowUp, east: 0, north: 1 },
  { name: 'south', Icon: IconArrowDown, east: 0, north: -1 },
  { name: 'west', Icon: IconArrowLeft, east: -1, north: 0 },
  { name: 'east', Icon: IconArrowRight, east: 1, north: 0 },
] as const

function Nudge({ shown }: { shown: ShownStep }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const [by, setBy] = useState<'10' | '100'>('10')
  return (
    <div className={classes['nudge']}>
      <Segments
        label={t('form.nudge', { step: by })}
        value={by}
        onChange={setBy}
        choices={[
          { value: '10', label: format.metres(10) },
          { value: '100', label: format.metres(100) },
        ]}
      />
      {moves.map(({ name, Icon, east, north }) => (
        <IconButton
          key={name}
          size="small"
          label={t(`form.${name}`)}
          icon={<Icon size={16} stroke={1.75} aria-hidden />}
          onClick={() =>
            moveTo(editor, shown.step.key, offsetBy(shown.step.position, east * Number(by), north * Number(by)), {
              free: false,
              onLineWithinM: 1,
            })
          }
        />
      ))}
    </div>
  )
}
