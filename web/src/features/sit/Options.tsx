import type { SitOptions } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Radios } from '@/ui/field/inputs'
import { SelectField } from '@/records/form/choice-fields'
import { TextField } from '@/records/form/fields'
import { useField } from '@/records/form/form-context'
import { FileField } from '@/records/source/FileField'
import type { ReactNode } from 'react'
import { GeotrekLists } from './GeotrekLists'

const kinds = ['datatourisme', 'apidae', 'tourinsoft', 'cirkwi', 'lei', 'geotrek'] as const
const schedules = ['never', 'hourly', 'daily', 'weekly'] as const
const ACCEPTED = '.zip,.json,.xml'

interface OptionsProps {
  /** The file that is there already; a source that is being made has none, and its kind is chosen. */
  there?: { file: string | undefined }
  /** The key of a source that is being made, under its address. */
  children?: ReactNode
}

/** The settings of a source: its address, its query, its interval. */
export function Options({ there, children }: OptionsProps) {
  const { t } = useTranslation('sit')
  const { value: kind, set: setKind } = useField<SitOptions['kind'] | null>('kind')
  const hasAddress = (useField<string | null>('url').value ?? '') !== ''
  return (
    <>
      <TextField name="name" label={t('source.name')} required hint={t('source.hint.name')} />
      {there === undefined && (
        <Radios
          label={t('source.kind.label')}
          value={kind}
          onChange={setKind}
          choices={kinds.map((value) => ({ value, label: t(`source.kind.${value}`) }))}
          data-field="kind"
        />
      )}
      {kind !== null && (
        <>
          <TextField name="url" label={t('source.url')} hint={t(`source.hint.url.${kind}`)} type="url" inputMode="url" />
          {!hasAddress && (
            <FileField
              label={t('source.file')}
              hint={there?.file === undefined ? undefined : t('source.hint.file', { name: there.file })}
              accept={ACCEPTED}
            />
          )}
          {hasAddress && children}
          {kind === 'geotrek' && <GeotrekLists />}
          {kind === 'apidae' && hasAddress && (
            <>
              {(['project', 'selections', 'criteria'] as const).map((name) => (
                <TextField key={name} name={name} label={t(`source.${name}`)} hint={t(`source.hint.${name}`)} />
              ))}
            </>
          )}
        </>
      )}
      <TextField name="licence" label={t('source.licence')} hint={t('source.hint.licence')} />
      <SelectField
        name="schedule"
        label={t('source.schedule')}
        hint={t('source.hint.schedule')}
        choices={schedules.map((value) => ({ value, label: t(`source.every.${value}`) }))}
      />
      <TextField name="notify_email" label={t('source.email')} hint={t('source.hint.email')} type="email" />
    </>
  )
}
