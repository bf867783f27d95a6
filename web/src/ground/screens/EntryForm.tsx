import { useCallback, useEffect, useMemo, useRef, useState, type FormEvent } from 'react'
import IconCamera from '@tabler/icons-react/dist/esm/icons/IconCamera.mjs'
import type { LngLat, Step } from '@/api/types'
import { useTranslation } from '@/i18n'
import { problemText } from '@/records/problem-text'
import { Banner } from '@/ui/feedback/Banner'
import { Field } from '@/ui/field/Field'
import { SelectInput, TextArea, TextInput } from '@/ui/field/inputs'
import { format, textOf } from '@/ui/format'
import { useGround } from '../ground'
import { BigButton } from '../parts'
import { compress } from '../photo/compress'
import type { OnLine } from '../position/follow'
import type { Taken } from '../taken/taken'
import { entryOf, missingIn, reportKinds, type Draft, type DraftField, type DraftPhoto } from './draft'

export interface EntryFormProps {
  initial: Draft
  /** The parcours, where it is on the device. */
  taken: Taken | null
  onLine: OnLine | null
  /** The centre of the map, to place something that is not where the person is. */
  centre: LngLat | null
  onClose: (saved: boolean) => void
}

/** The title of a step, with its distance where it has no title. */
const nameOf = (step: Step): string => textOf(step.title, format.km(step.at_m ?? 0))

/** One form for each kind of entry, over the whole screen. Confirmed means stored on the device. */
export function EntryForm({ initial, taken, onLine, centre, onClose }: EntryFormProps) {
  const { t } = useTranslation('ground')
  const { database, sender } = useGround()
  const [draft, setDraft] = useState(initial)
  const [missing, setMissing] = useState<DraftField[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const steps = taken?.parts.steps ?? []

  const add = async (files: FileList | null) => {
    setProblem(null)
    setBusy(true)
    try {
      for (const file of Array.from(files ?? [])) {
        const photo = { key: crypto.randomUUID(), blob: await compress(file) }
        setDraft((before) => ({ ...before, photos: [...before.photos, photo] }))
      }
    } catch (error) {
      setProblem(problemText(error))
    } finally {
      setBusy(false)
    }
  }

  const save = async (event: FormEvent) => {
    event.preventDefault()
    const lacks = missingIn(draft)
    setMissing(lacks)
    if (lacks[0] !== undefined) {
      dialog.current?.querySelector<HTMLElement>(`[data-field="${lacks[0]}"] :is(input, textarea, button)`)?.focus()
      return
    }
    setBusy(true)
    try {
      const step = steps.find(({ id }) => id === draft.stepId)
      const isNew = new Set(draft.before?.photos.map(({ key }) => key))
      const blobs = new Map(draft.photos.filter(({ key }) => !isNew.has(key)).map(({ key, blob }) => [key, blob]))
      await database.entries.save(entryOf(draft, step === undefined ? null : nameOf(step)), blobs)
      sender.start()
      onClose(true)
    } catch (error) {
      setBusy(false)
      setProblem(t(isFull(error) ? 'full' : 'notStored'))
    }
  }
  const lack = (field: DraftField) => (missing.includes(field) ? t(`form.missing.${field}`) : undefined)
  const title = t(`kind.${draft.kind}`)

  return (
    <dialog ref={dialog} className="form" aria-labelledby="form-title" onCancel={() => onClose(false)}>
      <form noValidate onSubmit={(event) => void save(event)}>
        <h2 id="form-title" tabIndex={-1}>
          {title}
        </h2>
        {draft.parcoursName !== null && <p className="quiet">{draft.parcoursName}</p>}
        {problem !== null && (
          <Banner tone="danger" live="alert">
            {problem}
          </Banner>
        )}
        {draft.kind === 'poi' && (
          <Field label={t('form.title')} required error={lack('title')} path="title">
            {(wiring) => <TextInput {...wiring} value={draft.title} maxLength={200} onChange={(title) => change({ title })} />}
          </Field>
        )}
        {draft.kind === 'poi' && taken !== null && taken.parts.categories.length > 0 && (
          <Field label={t('form.category')}>
            {(wiring) => (
              <SelectInput
                {...wiring}
                value={draft.categoryId === null ? null : String(draft.categoryId)}
                empty={t('form.noCategory')}
                choices={taken.parts.categories.map(({ id, label }) => ({ value: String(id), label: textOf(label) }))}
                onChange={(id) => change({ categoryId: id === null ? null : Number(id) })}
              />
            )}
          </Field>
        )}
        {draft.kind === 'report' && (
          <fieldset className="chips" data-field="reportKind" aria-describedby={lack('reportKind') === undefined ? undefined : 'no-kind'}>
            <legend>{t('form.reportKind')}</legend>
            {reportKinds.map((kind) => (
              <label key={kind} className="chip">
                <input type="radio" name="report-kind" checked={draft.reportKind === kind} onChange={() => change({ reportKind: kind })} />
                <span>{t(`reviews:reports.kind.${kind}`)}</span>
              </label>
            ))}
            {lack('reportKind') !== undefined && (
              <p id="no-kind" role="alert" className="fault">
                {lack('reportKind')}
              </p>
            )}
          </fieldset>
        )}
        {draft.kind === 'survey' && taken !== null && (
          <Stretch taken={taken} onLine={onLine} value={draft.stretch} onChange={(stretch) => change({ stretch })} />
        )}
        {draft.kind === 'remark' && draft.before === null && steps.length > 0 && (
          <Field label={t('form.step')}>
            {(wiring) => (
              <SelectInput
                {...wiring}
                value={draft.stepId === null ? null : String(draft.stepId)}
                empty={t('form.noStep')}
                choices={steps.map((step) => ({ value: String(step.id), label: nameOf(step) }))}
                onChange={(id) => {
                  const step = steps.find((one) => String(one.id) === id)
                  change({
                    stepId: step?.id ?? null,
                    ...(step === undefined
                      ? { position: initial.position, accuracyM: initial.accuracyM }
                      : { position: [step.position[0], step.position[1]], accuracyM: null }),
                  })
                }}
              />
            )}
          </Field>
        )}
        <Field label={t(draft.kind === 'remark' ? 'form.remark' : 'form.text')} required={draft.kind === 'remark' || draft.reportKind === 'other'} error={lack('text')} path="text">
          {(wiring) => <TextArea {...wiring} rows={3} maxLength={1500} value={draft.text} onChange={(text) => change({ text })} />}
        </Field>
        <Photos photos={draft.photos} busy={busy} error={lack('photos')} onAdd={add} onRemove={(key) => change({ photos: draft.photos.filter((photo) => photo.key !== key) })} />
        <Place draft={draft} initial={initial} centre={centre} error={lack('position')} onChange={change} />
        <div className="confirm">
          <BigButton onClick={() => onClose(false)}>{t('cancel')}</BigButton>
          <BigButton type="submit" look="primary" aria-disabled={busy || undefined}>
            {t('form.save')}
          </BigButton>
        </div>
      </form>
    </dialog>
  )
}

export const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === 'QuotaExceededError'

/** Where the entry is: at the position of the device, or at the centre of the map. */
function Place({
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
  const canMove = draft.before === null && draft.kind !== 'survey' && draft.stepId === null && centre !== null && initial.accuracyM !== null
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

function Photos({
  photos,
  busy,
  error,
  onAdd,
  onRemove,
}: {
  photos: readonly DraftPhoto[]
  busy: boolean
  error: string | undefined
  onAdd: (files: FileList | null) => Promise<void>
  onRemove: (key: string) => void
}) {
  const { t } = useTranslation('ground')
  return (
    <div data-field="photos">
      <CameraButton label={t(busy ? 'form.preparing' : 'form.addPhoto')} onFiles={(files) => void onAdd(files)} />
      {error !== undefined && (
        <p role="alert" className="fault">
          {error}
        </p>
      )}
      {photos.length > 0 && (
        <ul className="photos">
          {photos.map(({ key, blob }, index) => (
            <li key={key}>
              <Thumb blob={blob} alt={t('form.photo', { count: index + 1 })} />
              <BigButton onClick={() => onRemove(key)}>{t('form.removePhoto', { count: index + 1 })}</BigButton>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Opens the camera of a phone, and the files of a desk. */
export function CameraButton({ label, onFiles }: { label: string; onFiles: (files: FileList | null) => void }) {
  return (
    <label className="big camera">
      <IconCamera size={26} stroke={1.75} aria-hidden />
      <span>{label}</span>
      <input
        type="file"
        accept="image/*"
        capture="environment"
        className="visually-hidden"
        onChange={(event) => {
          onFiles(event.target.files)
          event.target.value = ''
        }}
      />
    </label>
  )
}

export function Thumb({ blob, alt }: { blob: Blob; alt: string }) {
  const show = useCallback(
    (image: HTMLImageElement | null) => {
      const url = URL.createObjectURL(blob)
      if (image !== null) image.src = url
      return () => URL.revokeObjectURL(url)
    },
    [blob],
  )
  return <img ref={show} alt={alt} />
}

/** The stretch of a survey: the whole, or between two places of the line. */
function Stretch({
  taken,
  onLine,
  value,
  onChange,
}: {
  taken: Taken
  onLine: OnLine | null
  value: Draft['stretch']
  onChange: (stretch: Draft['stretch']) => void
}) {
  const { t } = useTranslation('ground')
  const end = taken.parts.distance_m ?? 0
  const places = useMemo(() => {
    const between = taken.parts.steps.flatMap((step) =>
      step.at_m != null && step.at_m > 0 && step.at_m < end && step.kind !== 'departure' && step.kind !== 'arrival'
        ? [{ atM: step.at_m, label: `${nameOf(step)} (${format.km(step.at_m)})` }]
        : [],
    )
    const here = onLine === null ? [] : [{ atM: onLine.atM, label: `${t('form.here')} (${format.km(onLine.atM)})` }]
    return [{ atM: 0, label: t('form.departure') }, ...[...between, ...here].sort((one, other) => one.atM - other.atM), { atM: end, label: t('form.arrival') }]
    // The position is that of the moment when the form opened.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [taken, end, t])
  const choices = places.map(({ atM, label }) => ({ value: String(atM), label }))
  const set = (fromM: number, toM: number) => onChange(fromM <= toM ? { fromM, toM } : { fromM: toM, toM: fromM })
  return (
    <fieldset className="chips">
      <legend>{t('form.survey')}</legend>
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
