import IconMicrophone from '@tabler/icons-react/dist/esm/icons/IconMicrophone.mjs'
import { useCallback, useId, useLayoutEffect, useRef, useState, type FormEvent, type SyntheticEvent } from 'react'
import type { LngLat } from '@/api/types'
import { useTranslation } from '@/i18n'
import { problemText } from '@/records/problem-text'
import { Banner } from '@/ui/feedback/Banner'
import { Field } from '@/ui/field/Field'
import { DateInput, SelectInput, TextArea, TextInput } from '@/ui/field/inputs'
import { calendarToday, format, textOf } from '@/ui/format'
import { isFull } from '../database'
import { useGround } from '../ground'
import { BigButton, CameraButton } from '../parts'
import { compress } from '../photo/compress'
import { isSound, mayRecordVoice, useVoice } from '../photo/voice'
import type { OnLine } from '../position/follow'
import type { Download } from '../downloads/types'
import { lengthOf } from '../track/recording'
import { closureKinds, conditions, entryOf, missingIn, needsText, reportKinds, type Draft, type DraftField, type DraftPhoto } from './draft'
import { Moved, nameOf, Place, Stretch } from './EntryPlace'

export interface EntryFormProps {
  initial: Draft
  /** The parcours, where it is on the device. */
  download: Download | null
  onLine: OnLine | null
  /** Where the person is. */
  here: LngLat | null
  /** The centre of the map, to place something that is not where the person is. */
  centre: LngLat | null
  onClose: (saved: boolean) => void
}

/** One form for each kind of entry, over the whole screen. Confirmed means stored on the device. */
export default function EntryForm({ initial, download, onLine, here, centre, onClose }: EntryFormProps) {
  const { t } = useTranslation('ground')
  const { database, sender } = useGround()
  const [draft, setDraft] = useState(initial)
  /** After a first attempt to confirm, the messages of the missing fields are shown until they are filled. */
  const [isTried, setTried] = useState(false)
  const missing = isTried ? missingIn(draft) : []
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  // It is closed before it leaves the page: closing gives the focus back to the button that opened it.
  const isLeft = useRef(false)
  useLayoutEffect(() => {
    const shown = dialog.current
    isLeft.current = false
    shown?.showModal()
    return () => {
      isLeft.current = true
      shown?.close()
    }
  }, [])
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const steps = download?.parts.steps ?? []

  const add = async (files: FileList | null) => {
    setProblem(null)
    setBusy(true)
    try {
      for (const file of Array.from(files ?? [])) {
        attach(await compress(file))
      }
    } catch (error) {
      setProblem(problemText(error))
    } finally {
      setBusy(false)
    }
  }

  const attach = (blob: Blob): DraftPhoto => {
    const photo = { key: crypto.randomUUID(), blob }
    setDraft((before) => ({ ...before, photos: [...before.photos, photo] }))
    return photo
  }
  const voice = useVoice(attach)
  const speak = () => {
    setProblem(null)
    voice.start().catch(() => setProblem(t('voice.refused')))
  }

  const save = async (event: FormEvent) => {
    event.preventDefault()
    // A photo that is being made smaller is part of it.
    if (busy) return
    // A note that is still recorded, too.
    const last = await voice.stop()
    const whole = last === null ? draft : { ...draft, photos: [...draft.photos, last] }
    const lacks = missingIn(whole)
    setTried(true)
    if (lacks[0] !== undefined) {
      dialog.current?.querySelector<HTMLElement>(`[data-field="${lacks[0]}"] :is(input, textarea, button)`)?.focus()
      return
    }
    setBusy(true)
    try {
      const step = steps.find(({ id }) => id === whole.stepId)
      const isThere = new Set(whole.before?.photos.map(({ key }) => key))
      const blobs = new Map(whole.photos.filter(({ key }) => !isThere.has(key)).map(({ key, blob }) => [key, blob]))
      if (!(await database.entries.save(entryOf(whole, step === undefined ? null : nameOf(step)), blobs))) {
        setBusy(false)
        setProblem(t('form.left'))
        return
      }
      sender.start()
      onClose(true)
    } catch (error) {
      setBusy(false)
      setProblem(t(isFull(error) ? 'full' : 'notStored'))
    }
  }
  const lack = (field: DraftField) =>
    missing.includes(field) ? t(`form.missing.${draft.kind === 'correction' ? 'correction' : field}`) : undefined
  const title = t(`kind.${draft.kind}`)

  /** Whether nothing would be lost. A photo that was taken to begin with is in the form alone. */
  const isEmpty = draft === initial && (initial.before !== null || initial.photos.length === 0) && !busy && !voice.isRecording
  /** Escape and the Back gesture leave a form that was not filled in; one that was says how it is given up. */
  const leave = (event: SyntheticEvent<HTMLDialogElement>) => {
    // A camera or a file picker that is dismissed sends the same event up to here.
    if (event.target !== event.currentTarget) return
    if (isEmpty) {
      onClose(false)
      return
    }
    event.preventDefault()
    setProblem(t('form.notSaved'))
  }

  /** A browser closes a dialog at the second Escape in a row, whatever the page does: it is opened again. */
  const reopen = () => {
    if (isEmpty) {
      onClose(false)
      return
    }
    dialog.current?.showModal()
    setProblem(t('form.notSaved'))
  }

  return (
    <dialog ref={dialog} className="form" aria-labelledby="form-title" onCancel={leave} onClose={(event) => event.currentTarget.open || isLeft.current || reopen()}>
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
        {draft.track !== null && (
          <p>{t('form.track', { distance: format.distance(lengthOf(draft.track)), points: format.number(draft.track.length) })}</p>
        )}
        {(draft.kind === 'poi' || draft.kind === 'equipment' || draft.kind === 'correction') && (
          <Field label={t(`form.name.${draft.kind}`)} required={draft.kind !== 'correction'} error={lack('title')} path="title">
            {(wiring) => (
              <TextInput
                {...wiring}
                value={draft.title}
                maxLength={200}
                list={draft.kind === 'equipment' ? 'equipment' : undefined}
                onChange={(title) => change({ title })}
              />
            )}
          </Field>
        )}
        {draft.kind === 'equipment' && (
          <>
            <datalist id="equipment">
              {t('form.equipmentNames')
                .split(', ')
                .map((name) => (
                  <option key={name}>{name}</option>
                ))}
            </datalist>
            <Chips
              field="condition"
              label={t('form.condition')}
              error={lack('condition')}
              value={draft.condition}
              choices={conditions.map((value) => ({ value, label: t(`condition.${value}`) }))}
              onChange={(condition) => change({ condition })}
            />
          </>
        )}
        {draft.kind === 'poi' && download !== null && download.parts.categories.length > 0 && (
          <Field label={t('form.category')}>
            {(wiring) => (
              <SelectInput
                {...wiring}
                value={draft.categoryId === null ? null : String(draft.categoryId)}
                empty={t('form.noCategory')}
                choices={download.parts.categories.map(({ id, label }) => ({ value: String(id), label: textOf(label) }))}
                onChange={(id) => change({ categoryId: id === null ? null : Number(id) })}
              />
            )}
          </Field>
        )}
        {draft.kind === 'report' && (
          <Chips
            field="reportKind"
            label={t('form.reportKind')}
            error={lack('reportKind')}
            value={draft.reportKind}
            choices={reportKinds.map((value) => ({ value, label: t(`reviews:reports.kind.${value}`) }))}
            onChange={(reportKind) => change({ reportKind })}
          />
        )}
        {draft.kind === 'closure' && (
          <Chips
            field="closureKind"
            label={t('form.closureKind')}
            error={lack('closureKind')}
            value={draft.closureKind}
            choices={closureKinds.map((value) => ({ value, label: t(`closures:kind.${value}`) }))}
            onChange={(closureKind) => change({ closureKind })}
          />
        )}
        {(draft.kind === 'survey' || draft.kind === 'closure') && download !== null && (
          <Stretch kind={draft.kind} download={download} onLine={onLine} value={draft.stretch} onChange={(stretch) => change({ stretch })} />
        )}
        {draft.kind === 'closure' && (
          <Field label={t('form.until')} hint={t('form.untilHint')}>
            {(wiring) => (
              <DateInput {...wiring} min={calendarToday()} value={draft.until} onChange={(until) => change({ until: until ?? '' })} />
            )}
          </Field>
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
        <Field label={t(draft.kind === 'remark' ? 'form.remark' : draft.kind === 'correction' ? 'form.rightText' : 'form.text')} required={needsText(draft) && !(draft.kind === 'remark' && voice.isRecording)} error={lack('text')} path="text">
          {(wiring) => <TextArea {...wiring} rows={3} maxLength={draft.kind === 'correction' ? 2000 : 1500} value={draft.text} onChange={(text) => change({ text })} />}
        </Field>
        {mayRecordVoice() && (
          <BigButton
            aria-pressed={voice.isRecording}
            icon={<IconMicrophone size={26} stroke={1.75} aria-hidden />}
            onClick={() => (voice.isRecording ? void voice.stop() : speak())}
          >
            {t(voice.isRecording ? 'voice.stop' : 'voice.start')}
          </BigButton>
        )}
        <Photos photos={draft.photos} busy={busy} error={lack('photos')} onAdd={add} onRemove={(key) => change({ photos: draft.photos.filter((photo) => photo.key !== key) })} />
        {draft.target !== null ? (
          <Moved draft={draft} here={here} centre={centre} onChange={change} />
        ) : (
          draft.kind !== 'track' && <Place draft={draft} initial={initial} centre={centre} error={lack('position')} onChange={change} />
        )}
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

/** One of a few words, as large buttons. */
function Chips<V extends string>({
  field,
  label,
  error,
  value,
  choices,
  onChange,
}: {
  field: DraftField
  label: string
  error: string | undefined
  value: V | null
  choices: { value: V; label: string }[]
  onChange: (value: V) => void
}) {
  const id = useId()
  return (
    <fieldset className="chips" data-field={field} aria-describedby={error === undefined ? undefined : id}>
      <legend>{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className="chip">
          <input type="radio" name={field} checked={value === choice.value} onChange={() => onChange(choice.value)} />
          <span>{choice.label}</span>
        </label>
      ))}
      {error !== undefined && (
        <p id={id} role="alert" className="fault">
          {error}
        </p>
      )}
    </fieldset>
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
              {isSound(blob) ? (
                <Sound blob={blob} label={t('voice.note', { count: index + 1 })} />
              ) : (
                <Thumb blob={blob} alt={t('form.photo', { count: index + 1 })} />
              )}
              <BigButton onClick={() => onRemove(key)}>
                {t(isSound(blob) ? 'voice.remove' : 'form.removePhoto', { count: index + 1 })}
              </BigButton>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Gives an element the bytes that it shows or plays. */
function useBytes(blob: Blob): (element: HTMLImageElement | HTMLAudioElement | null) => () => void {
  return useCallback(
    (element) => {
      const url = URL.createObjectURL(blob)
      if (element !== null) element.src = url
      return () => URL.revokeObjectURL(url)
    },
    [blob],
  )
}

function Thumb({ blob, alt }: { blob: Blob; alt: string }) {
  return <img ref={useBytes(blob)} alt={alt} />
}

function Sound({ blob, label }: { blob: Blob; label: string }) {
  // The person plays their own recording: it needs no captions.
  // oxlint-disable-next-line jsx-a11y/media-has-caption
  return <audio ref={useBytes(blob)} controls aria-label={label} />
}
