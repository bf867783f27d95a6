import { useContext } from 'react'
import type { CustomField } from '@/api/model'
import { useTranslation } from '@/i18n'
import { Field, ReadOnly } from '@/ui/field/Field'
import { DateInput } from '@/ui/field/inputs'
import { format, textOf } from '@/ui/format'
import { CheckField, SelectField } from './choice-fields'
import classes from './fields.module.css'
import { NumberField, TextAreaField, TextField } from './fields'
import { useField } from './form-context'
import { ReadOnlyContext } from './read-only'

/** One input for each field, of the kind its definition says. */
export function CustomInputs({ fields }: { fields: readonly CustomField[] }) {
  return (
    <div className={classes['custom']}>
      {fields.map((field) => (
        <CustomInput key={field.key} field={field} />
      ))}
    </div>
  )
}

function CustomInput({ field }: { field: CustomField }) {
  const common = { name: `custom.${field.key}`, label: textOf(field.label, field.key), required: field.required }
  const { t } = useTranslation()
  switch (field.type) {
    case 'long_text':
      return <TextAreaField {...common} />
    case 'number':
      return <NumberField {...common} decimals={6} />
    case 'bool':
      return <CheckField {...common} />
    case 'date':
      return <DateField {...common} />
    case 'url':
      return <TextField {...common} type="url" inputMode="url" placeholder="https://" />
    case 'choice':
      return <SelectField {...common} choices={(field.options ?? []).map((option) => ({ value: option, label: option }))} empty={t('form.none')} />
    default:
      return <TextField {...common} />
  }
}

/** A day. */
export function DateField({ name, ...field }: { name: string; label: string; required?: boolean; hint?: string }) {
  const { value, set, error } = useField<string | null | undefined>(name)
  if (useContext(ReadOnlyContext)) return <ReadOnly label={field.label}>{value ? format.day(value) : null}</ReadOnly>
  return (
    <Field {...field} error={error} path={name}>
      {(wiring) => <DateInput {...wiring} value={value ?? null} onChange={set} />}
    </Field>
  )
}
