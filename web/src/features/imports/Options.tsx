import type { ReactNode } from 'react'
import type { ImportOptions } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Radios } from '@/ui/field/inputs'
import { SelectField, SwitchField } from '@/records/form/choice-fields'
import { TextField } from '@/records/form/fields'
import { useField } from '@/records/form/form-context'
import { FileField } from '@/records/source/FileField'

const kinds = ['jalon', 'geotrek', 'schema_randonnee', 'cirkwi', 'apidae', 'datatourisme', 'features', 'directus', 'files'] as const
export const publications = ['keep', 'published', 'unpublished'] as const
const schedules = ['never', 'hourly', 'daily', 'weekly'] as const

/** Servers that are asked by their own addresses, and never files. A Geotrek may be an archive of its database. */
export const isServer = (kind: string | null): boolean => kind === 'jalon' || kind === 'directus'

/** The largest file that may be sent. */
const ACCEPTED = '.gpx,.kml,.kmz,.geojson,.json,.tcx,.fit,.zip,.xml,.gpkg,.csv,.tsv,.xlsx,.fgb,.dxf'

/** Sources whose points may become points of interest. */
const withPlaces: readonly (string | null)[] = ['features', 'directus', 'files']

/** The name and the format of the source. */
export function What({ fixed = false }: { fixed?: boolean }) {
  const { t } = useTranslation('imports')
  const kind = useField<ImportOptions['kind'] | null>('kind')
  return (
    <>
      <TextField name="name" label={t('field.name')} required hint={t('hint.name')} />
      {!fixed && (
        <Radios
          label={t('kind.label')}
          value={kind.value}
          onChange={kind.set}
          choices={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
          data-field="kind"
        />
      )}
    </>
  )
}

interface WhereProps {
  there?: string | undefined
  /** The key of a source that is being made, under its address. */
  children?: ReactNode
}

/** Its address, or a file instead. */
export function Where({ there, children }: WhereProps) {
  const { t } = useTranslation('imports')
  const kind = useField<ImportOptions['kind'] | null>('kind').value ?? 'files'
  const hasAddress = (useField<string | null>('url').value ?? '') !== ''
  return (
    <>
      <TextField name="url" label={t('field.url')} required={isServer(kind)} hint={t(`hint.url.${kind}`)} type="url" inputMode="url" />
      {children}
      {!isServer(kind) && !hasAddress && <OriginFile kind={kind} there={there} />}
      {hasAddress && <TextField name="host" label={t('field.host')} hint={t('hint.host')} type="url" inputMode="url" />}
    </>
  )
}

/** A file in place of the address: recordings, or the archive of the database of a Geotrek. */
export function OriginFile({ kind, there }: { kind: string; there?: string | undefined }) {
  const { t } = useTranslation('imports')
  const inPlace = there === undefined ? undefined : t('hint.file', { name: there })
  if (kind !== 'geotrek') return <FileField label={t('field.file')} hint={inPlace} accept={ACCEPTED} />
  return <FileField label={t('field.archive')} hint={`${t('hint.archive')} ${inPlace ?? t('hint.size')}`} accept=".zip" />
}

/** What comes beside the treks of a Geotrek. Equipment comes with its points of interest, or not at all. */
export function Beside() {
  const { t } = useTranslation('imports')
  const hasPois = useField<boolean>('takes_pois').value
  return (
    <>
      <SwitchField name="takes_pois" label={t('field.takes_pois')} hint={t('hint.takes_pois')} />
      {hasPois && <SwitchField name="takes_equipment" label={t('field.takes_equipment')} hint={t('hint.takes_equipment')} />}
    </>
  )
}

/** How imported items are treated, and how often the import runs. */
export function How() {
  const { t } = useTranslation('imports')
  const kind = useField<ImportOptions['kind'] | null>('kind').value
  return (
    <>
      {kind === 'geotrek' && <Beside />}
      {withPlaces.includes(kind) && <SwitchField name="takes_pois" label={t('field.takes_pois')} hint={t('hint.takes_places')} />}
      <SwitchField name="distribute_own" label={t('field.distribute_own')} hint={t('hint.distribute_own')} />
      <SwitchField name="force_source_geometry" label={t('field.force_source_geometry')} hint={t('hint.force_source_geometry')} />
      <SelectField
        name="force_published"
        label={t('field.force_published')}
        choices={publications.map((value) => ({ value, label: t(`publish.${value}`) }))}
      />
      <SelectField
        name="schedule"
        label={t('field.schedule')}
        hint={t('hint.schedule')}
        choices={schedules.map((value) => ({ value, label: t(`every.${value}`) }))}
      />
      <TextField name="notify_email" label={t('field.notify_email')} hint={t('hint.notify_email')} type="email" />
    </>
  )
}
