import type { ImportOptions } from '@/api/model'
import { useTranslation } from '@/i18n'
import { Field } from '@/ui/field/Field'
import { Radios, SelectInput, Switch, TextInput } from '@/ui/field/inputs'

const kinds = ['geotrek', 'schema_randonnee', 'cirkwi', 'apidae', 'datatourisme', 'features', 'files'] as const
const publications = ['keep', 'published', 'unpublished'] as const
const schedules = ['never', 'hourly', 'daily', 'weekly'] as const

/** The largest file that may be sent. */
const ACCEPTED = '.gpx,.kml,.kmz,.geojson,.json,.tcx,.fit,.zip,.xml'

export type Draft = Omit<ImportOptions, 'kind'> & { kind: ImportOptions['kind'] | null }
export type Faults = Partial<Record<keyof ImportOptions, string>>

interface PartProps {
  draft: Draft
  change: (patch: Partial<Draft>) => void
  faults: Faults
}

/** What it is called, and how it speaks. */
export function What({ draft, change, faults, fixed = false }: PartProps & { fixed?: boolean }) {
  const { t } = useTranslation('imports')
  return (
    <>
      <Field label={t('field.name')} required hint={t('hint.name')} error={faults.name} path="name">
        {(wiring) => <TextInput {...wiring} value={draft.name} onChange={(name) => change({ name })} maxLength={200} />}
      </Field>
      {!fixed && (
        <Radios label={t('kind.label')} value={draft.kind} onChange={(kind) => change({ kind })} choices={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))} />
      )}
    </>
  )
}

/** Its address, or a file instead. */
export function Where({ draft, change, faults, file, onFile, there }: PartProps & { file: File | null; onFile: (file: File | null) => void; there?: string | undefined }) {
  const { t } = useTranslation('imports')
  const kind = draft.kind ?? 'files'
  return (
    <>
      <Field label={t('field.url')} required={kind === 'geotrek'} hint={t(`hint.url.${kind}`)} error={faults.url} path="url">
        {(wiring) => <TextInput {...wiring} type="url" inputMode="url" value={draft.url ?? ''} onChange={(url) => change({ url: url === '' ? null : url })} />}
      </Field>
      {kind !== 'geotrek' && draft.url === null && (
        <Field label={t('field.file')} hint={there === undefined ? undefined : t('hint.file', { name: there })}>
          {(wiring) => <input {...wiring} type="file" accept={ACCEPTED} onChange={(event) => onFile(event.currentTarget.files?.[0] ?? null)} />}
        </Field>
      )}
      {file !== null && draft.url === null && <p className="small muted">{file.name}</p>}
      {draft.url !== null && (
        <Field label={t('field.host')} hint={t('hint.host')} error={faults.host} path="host">
          {(wiring) => <TextInput {...wiring} type="url" inputMode="url" value={draft.host ?? ''} onChange={(host) => change({ host: host === '' ? null : host })} />}
        </Field>
      )}
    </>
  )
}

/** What is done with what comes in, and how often. */
export function How({ draft, change, faults }: PartProps) {
  const { t } = useTranslation('imports')
  return (
    <>
      <Switch label={t('field.distribute_own')} hint={t('hint.distribute_own')} checked={draft.distribute_own} onChange={(on) => change({ distribute_own: on })} />
      <Switch label={t('field.force_source_geometry')} hint={t('hint.force_source_geometry')} checked={draft.force_source_geometry} onChange={(on) => change({ force_source_geometry: on })} />
      <Field label={t('field.force_published')}>
        {(wiring) => (
          <SelectInput
            {...wiring}
            value={draft.force_published}
            onChange={(value) => change({ force_published: publications.find((one) => one === value) ?? 'keep' })}
            choices={publications.map((value) => ({ value, label: t(`publish.${value}`) }))}
          />
        )}
      </Field>
      <Field label={t('field.schedule')} hint={t('hint.schedule')}>
        {(wiring) => (
          <SelectInput {...wiring} value={draft.schedule} onChange={(value) => change({ schedule: schedules.find((one) => one === value) ?? 'never' })} choices={schedules.map((value) => ({ value, label: t(`every.${value}`) }))} />
        )}
      </Field>
      <Field label={t('field.notify_email')} hint={t('hint.notify_email')} error={faults.notify_email} path="notify_email">
        {(wiring) => <TextInput {...wiring} type="email" value={draft.notify_email ?? ''} onChange={(email) => change({ notify_email: email === '' ? null : email })} />}
      </Field>
    </>
  )
}
