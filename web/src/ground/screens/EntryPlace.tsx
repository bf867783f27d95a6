import { useMemo } from 'react'
import type { LngLat, Step } from '@/api/types'
import { useTranslation } from '@/i18n'
import { distanceM } from '@/records/map/geo'
import { Field } from '@/ui/field/Field'
import { SelectInput } from '@/ui/field/inputs'
import { format, textOf } from '@/ui/format'
import type { OnLine } from '../position/follow'
import type { Download } from '../downloads/types'
import { hasStretch, type Draft } from './draft'

/** The title of a step, with its distance where it has no title. */
export const nameOf = (step: Step): string => textOf(step.title, format.km(step.at_m ?? 0))
/** A step without a name is called by its kilometre: it is not said twice. */
const placed = (name: string, km: string): string => (name === km ? km : `${name} (${km})`)

/** Where a step or a place really is: where the map says, where the person stands, or at the centre of the map. */
export function Moved({
  draft: { target, position, before },
  here,
  centre,
  onChange,
}: {
  draft: Draft
  here: LngLat | null
  centre: LngLat | null
  onChange: (part: Partial<Draft>) => void
}) {
  const { t } = useTranslation('ground')
  const choices = [
    { label: t('form.unmoved'), to: null },
    ...(here === null ? [] : [{ label: t('form.myPlace'), to: here }]),
    ...(centre === null ? [] : [{ label: t('form.centre'), to: centre }]),
    ...(before?.content.position == null ? [] : [{ label: t('form.placed'), to: before.content.position }]),
  ]
  return (
    <fieldset className="chips" data-field="position">
      <legend>{t('form.place')}</legend>
      {choices.map(({ label, to }) => (
        <label key={label} className="chip">
          <input type="radio" name="place" checked={position === to} onChange={() => onChange({ position: to, accuracyM: null })} />
          <span>
            {label}
            {to !== null && target !== null && ` (${format.distance(distanceM(target.position, to))})`}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** Where the entry is: at the position of the device, or at the centre of the map. */
export function Place({
  draft,
  initial,
  centre,
  error,
  onChange,
}: {
  draft: Draft
  initial: Draft
  centre: LngLat | null
  error: string | undefined
  onChange: (part: Partial<Draft>) => void
}) {
  const { t } = useTranslation('ground')
  const { accuracyM, position } = draft
  const words =
    position === null
      ? t('form.nowhere')
      : accuracyM === null
        ? t('form.placed')
        : t('form.hereWithin', { accuracy: format.metres(accuracyM) })
  const canMove = draft.before === null && !hasStretch(draft.kind) && draft.stepId === null && centre !== null && initial.accuracyM !== null
  return (
    <div data-field="position">
      {canMove ? (
        <fieldset className="chips">
          <legend>{t('form.place')}</legend>
          <label className="chip">
            <input
              type="radio"
              name="place"
              checked={accuracyM !== null}
              onChange={() => onChange({ position: initial.position, accuracyM: initial.accuracyM })}
            />
            <span>{t('form.hereWithin', { accuracy: format.metres(initial.accuracyM ?? 0) })}</span>
          </label>
          <label className="chip">
            <input type="radio" name="place" checked={accuracyM === null} onChange={() => onChange({ position: centre, accuracyM: null })} />
            <span>{t('form.centre')}</span>
          </label>
        </fieldset>
      ) : (
        <p className="quiet">{words}</p>
      )}
      {error !== undefined && (
        <p role="alert" className="fault">
          {error}
        </p>
      )}
    </div>
  )
}

/** The stretch of a survey or of a closure: the whole, or between two places of the line. */
export function Stretch({
  kind,
  download,
  onLine,
  value,
  onChange,
}: {
  kind: 'survey' | 'closure'
  download: Download
  onLine: OnLine | null
  value: Draft['stretch']
  onChange: (stretch: Draft['stretch']) => void
}) {
  const { t } = useTranslation('ground')
  const end = download.parts.distance_m ?? 0
  const places = useMemo(() => {
    const between = download.parts.steps.flatMap((step) =>
      step.at_m != null && step.at_m > 0 && step.at_m < end && step.kind !== 'departure' && step.kind !== 'arrival'
        ? [{ atM: step.at_m, label: placed(nameOf(step), format.km(step.at_m)) }]
        : [],
    )
    const here = onLine === null ? [] : [{ atM: onLine.atM, label: `${t('form.here')} (${format.km(onLine.atM)})` }]
    const ends = value === null ? [] : [value.fromM, value.toM].filter((atM) => atM > 0 && atM < end).map((atM) => ({ atM, label: format.km(atM) }))
    return [{ atM: 0, label: t('form.departure') }, ...[...between, ...here, ...ends].sort((one, other) => one.atM - other.atM), { atM: end, label: t('form.arrival') }]
    // The position is that of the moment when the form opened.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [download, end, t])
  const choices = places.map(({ atM, label }) => ({ value: String(atM), label }))
  const set = (fromM: number, toM: number) => onChange(fromM <= toM ? { fromM, toM } : { fromM: toM, toM: fromM })
  return (
    <fieldset className="chips">
      <legend>{t(kind === 'survey' ? 'form.survey' : 'form.closed')}</legend>
      <label className="chip">
        <input type="radio" name="stretch" checked={value === null} onChange={() => onChange(null)} />
        <span>{t('form.whole')}</span>
      </label>
      <label className="chip">
        <input type="radio" name="stretch" checked={value !== null} onChange={() => onChange({ fromM: 0, toM: end })} />
        <span>{t('form.stretch')}</span>
      </label>
      {value !== null && (
        <>
          <Field label={t('form.from')}>
            {(wiring) => (
              <SelectInput {...wiring} value={String(value.fromM)} choices={choices} onChange={(atM) => set(Number(atM), value.toM)} />
            )}
          </Field>
          <Field label={t('form.to')}>
            {(wiring) => (
              <SelectInput {...wiring} value={String(value.toM)} choices={choices} onChange={(atM) => set(value.fromM, Number(atM))} />
            )}
          </Field>
        </>
      )}
    </fieldset>
  )
}
