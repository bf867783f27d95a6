import type { CustomField } from '@/api/types'
import { useTranslation } from '@/i18n'
import { textOf } from '@/ui/format'
import { CheckField, SelectField } from '@/records/form/choice-fields'
import { DateField } from '@/records/form/DateField'
import classes from '@/records/form/fields.module.css'
import { NumberField, TextAreaField, TextField } from '@/records/form/fields'

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
      return (
        <SelectField
          {...common}
          choices={(field.options ?? []).map((option) => ({ value: option, label: option }))}
          empty={t('form.notSet')}
        />
      )
    default:
      return <TextField {...common} />
  }
}
