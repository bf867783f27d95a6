import { useContext, useState } from 'react'
import type { WhiteLabel } from '@/api/types'
import { useTranslation } from '@/i18n'
import { ConfirmDialog } from '@/ui/dialog/ConfirmDialog'
import { Field } from '@/ui/field/Field'
import { TextInput } from '@/ui/field/inputs'
import { TextField } from '@/records/form/fields'
import { useField } from '@/records/form/form-context'
import { ReadOnlyContext } from '@/records/form/read-only'
import type { FieldOf } from '@/records/resource/define'

/** The production domain. Before that of a published site changes, a dialog lists what will no longer be reachable at the saved one. */
export function DomainField({ record, f }: { record: WhiteLabel | null; f: FieldOf }) {
  const { t } = useTranslation('whiteLabels')
  const { value, set, error } = useField<string | null>('domain')
  /** What was typed, until it is confirmed. */
  const [pending, setPending] = useState<string | null>(null)
  const field = { ...f('domain'), hint: t('domainHint') }
  const saved = record?.published === true ? record.domain : null
  if (useContext(ReadOnlyContext)) return <TextField {...field} />
  const change = (text: string) => {
    // Once confirmed, it is not asked again at each character.
    if (saved && value === saved && text !== saved) setPending(text)
    else set(text)
  }
  return (
    <>
      <Field label={field.label} hint={field.hint} error={error} path={field.name}>
        {(wiring) => (
          <TextInput
            {...wiring}
            type="url"
            value={value ?? ''}
            onChange={change}
            placeholder="https://"
            inputMode="url"
            autoComplete="off"
          />
        )}
      </Field>
      {pending !== null && (
        <ConfirmDialog
          opened
          danger
          onClose={() => setPending(null)}
          title={t('moved.title', { name: record?.name ?? '' })}
          confirm={t('moved.confirm')}
          onConfirm={() => {
            set(pending)
            setPending(null)
          }}
        >
          <p>{t('moved.lead', { domain: saved ?? '' })}</p>
          <ul>
            <li>{t('moved.links')}</li>
            <li>{t('moved.search')}</li>
            <li>{t('moved.printed')}</li>
          </ul>
          <p className="small muted">{t('moved.back')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
