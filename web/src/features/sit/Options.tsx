import { ProblemError } from '@/api/problem'
import type { SitOptions } from '@/api/model'
import { useTranslation } from '@/i18n'
import { Field } from '@/ui/field/Field'
import { PasswordInput, Radios, SelectInput, TextInput } from '@/ui/field/inputs'
import { faultText } from '@/ui/problem-text'

const kinds = ['datatourisme', 'apidae', 'tourinsoft', 'cirkwi', 'lei', 'geotrek'] as const
const schedules = ['never', 'hourly', 'daily', 'weekly'] as const
const ACCEPTED = '.zip,.json,.xml'

export type Draft = Omit<SitOptions, 'kind'> & { kind: SitOptions['kind'] | null }
export type Faults = Partial<Record<keyof SitOptions | 'key', string>>

/** What a refusal says of each field of a source. */
export function faultsOf(error: unknown): Faults {
  if (!(error instanceof ProblemError)) return {}
  return Object.fromEntries(error.faults.map((fault) => [fault.field?.split('/')[1] ?? '', faultText(fault)]))
}

interface OptionsProps {
  draft: Draft
  change: (patch: Partial<Draft>) => void
  faults: Faults
  file: File | null
  onFile: (file: File | null) => void
  keyWords: string
  onKey: (key: string) => void
  /** The file and the key that are there already. */
  there?: { file: string | undefined; key: boolean }
}

const orNull = (words: string) => (words === '' ? null : words)

/** What is set of a source: where it is, with what it is asked, how often. */
export function Options({ draft, change, faults, file, onFile, keyWords, onKey, there }: OptionsProps) {
  const { t } = useTranslation('sit')
  const { kind } = draft
  const words = (name: 'project' | 'selections' | 'criteria') => (
    <Field label={t(`source.${name}`)} hint={t(`source.hint.${name}`)} error={faults[name]} path={name}>
      {(wiring) => <TextInput {...wiring} value={draft[name] ?? ''} onChange={(value) => change({ [name]: orNull(value) })} inputMode={name === 'criteria' ? 'text' : 'numeric'} />}
    </Field>
  )
  return (
    <>
      <Field label={t('source.name')} required hint={t('source.hint.name')} error={faults.name} path="name">
        {(wiring) => <TextInput {...wiring} value={draft.name} onChange={(name) => change({ name })} maxLength={200} />}
      </Field>
      {there === undefined && <Radios label={t('source.kind.label')} value={kind} onChange={(next) => change({ kind: next })} choices={kinds.map((value) => ({ value, label: t(`source.kind.${value}`) }))} />}
      {kind !== null && (
        <>
          <Field label={t('source.url')} hint={t(`source.hint.url.${kind}`)} error={faults.url} path="url">
            {(wiring) => <TextInput {...wiring} type="url" inputMode="url" value={draft.url ?? ''} onChange={(url) => change({ url: orNull(url) })} />}
          </Field>
          {draft.url === null && (
            <Field label={t('source.file')} hint={there?.file === undefined ? undefined : t('source.hint.file', { name: there.file })}>
              {(wiring) => <input {...wiring} type="file" accept={ACCEPTED} onChange={(event) => onFile(event.currentTarget.files?.[0] ?? null)} />}
            </Field>
          )}
          {file !== null && draft.url === null && <p className="small muted">{file.name}</p>}
          {draft.url !== null && (
            <Field label={t('source.key')} hint={there?.key === true ? t('source.hint.keySet') : kind === 'cirkwi' ? t('source.hint.keyCirkwi') : t('source.hint.key')} error={faults.key} path="key">
              {(wiring) => <PasswordInput {...wiring} value={keyWords} onChange={onKey} autoComplete="off" />}
            </Field>
          )}
          {kind === 'apidae' && draft.url !== null && (
            <>
              {words('project')}
              {words('selections')}
              {words('criteria')}
            </>
          )}
        </>
      )}
      <Field label={t('source.licence')} hint={t('source.hint.licence')} error={faults.licence} path="licence">
        {(wiring) => <TextInput {...wiring} value={draft.licence ?? ''} onChange={(licence) => change({ licence: orNull(licence) })} maxLength={200} />}
      </Field>
      <Field label={t('source.schedule')} hint={t('source.hint.schedule')}>
        {(wiring) => <SelectInput {...wiring} value={draft.schedule} onChange={(value) => change({ schedule: schedules.find((one) => one === value) ?? 'never' })} choices={schedules.map((value) => ({ value, label: t(`source.every.${value}`) }))} />}
      </Field>
      <Field label={t('source.email')} hint={t('source.hint.email')} error={faults.notify_email} path="notify_email">
        {(wiring) => <TextInput {...wiring} type="email" value={draft.notify_email ?? ''} onChange={(email) => change({ notify_email: orNull(email) })} />}
      </Field>
    </>
  )
}
