import { useState } from 'react'
import type { LngLat } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Field } from '@/ui/field/Field'
import { TextArea } from '@/ui/field/inputs'
import { writePoint } from '@/records/map/point'
import { readPoints } from './read-points'

/** The points of a drawing as text, one per line: for users who have coordinates, and for the keyboard. */
export function ShapeText({ points, onChange }: { points: readonly LngLat[]; onChange: (points: LngLat[]) => void }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState<{ text: string; done: boolean } | null>(null)
  const fault = typed?.done === true ? readPoints(typed.text).fault : undefined
  const type = (text: string) => {
    setTyped({ text, done: false })
    const read = readPoints(text)
    if (read.fault === undefined) onChange(read.points)
  }
  // A text that cannot be read is kept as typed; otherwise the text is written again from the drawing.
  const leave = () =>
    setTyped((before) => (before === null || readPoints(before.text).fault === undefined ? null : { ...before, done: true }))
  return (
    <details>
      <summary className="small">{t('shape.type')}</summary>
      <Field label={t('shape.typed')} hint={t('shape.typedHint')} error={fault && t('shape.notAPoint', fault)}>
        {(wiring) => (
          <TextArea
            {...wiring}
            rows={5}
            value={typed?.text ?? points.map(writePoint).join('\n')}
            onChange={type}
            onBlur={leave}
            spellCheck={false}
            autoComplete="off"
            placeholder={`${writePoint([5.3684, 44.9127])}\n${writePoint([5.3702, 44.9131])}`}
          />
        )}
      </Field>
    </details>
  )
}
