import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useContext } from 'react'
import type { CustomField, CustomType } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Button, IconButton } from '@/ui/button/Button'
import { Field } from '@/ui/field/Field'
import { Checkbox, SelectInput, TextInput } from '@/ui/field/inputs'
import { TranslatedField } from '@/records/form/fields'
import { useField } from '@/records/form/form-context'
import { ReadOnlyContext } from '@/records/form/read-only'
import { textOf } from '@/ui/format'
import classes from './white-labels.module.css'

const types = ['text', 'long_text', 'number', 'bool', 'date', 'url', 'choice'] as const satisfies readonly CustomType[]

/** The fields a white-label adds to its parcours and points: each has a type, and is edited, filtered and exported as such. */
export function CustomFields() {
  const { t } = useTranslation('whiteLabels')
  const readOnly = useContext(ReadOnlyContext)
  const { value, set } = useField<CustomField[]>('custom_fields')
  const change = (index: number, part: Partial<CustomField>) => set(value.map((field, i) => (i === index ? { ...field, ...part } : field)))
  const add = () =>
    set([...value, { key: freeKey(value, t('custom.keyStem')), type: 'text', label: {}, on: 'parcours', options: [], required: false }])
  if (readOnly) return <p>{value.map(({ label, key }) => textOf(label, key)).join(', ') || '–'}</p>
  return (
    <div className={classes['custom']} data-field="custom_fields">
      <p className="small muted">{t('custom.hint')}</p>
      {value.map((field, index) => (
        // A field has no stable name while its key is being typed: its place identifies it.
        // oxlint-disable-next-line react/no-array-index-key
        <fieldset key={index} className={classes['customField']}>
          <legend>{textOf(field.label, field.key)}</legend>
          <TranslatedField name={`custom_fields.${index}.label`} label={t('custom.label')} required />
          <div className={classes['customParts']}>
            <Field label={t('custom.key')} path={`custom_fields.${index}.key`}>
              {(wiring) => (
                <TextInput
                  {...wiring}
                  value={field.key}
                  onChange={(key) => change(index, { key: key.toLowerCase().replace(/[^a-z0-9_]/g, '_') })}
                  maxLength={60}
                />
              )}
            </Field>
            <Field label={t('custom.type')}>
              {(wiring) => (
                <SelectInput
                  {...wiring}
                  value={field.type}
                  onChange={(type) => change(index, { type: types.find((one) => one === type) ?? 'text' })}
                  choices={types.map((type) => ({ value: type, label: t(`custom.types.${type}`) }))}
                />
              )}
            </Field>
            <Field label={t('custom.on')}>
              {(wiring) => (
                <SelectInput
                  {...wiring}
                  value={field.on}
                  onChange={(on) => change(index, { on: on === 'poi' ? 'poi' : 'parcours' })}
                  choices={(['parcours', 'poi'] as const).map((on) => ({ value: on, label: t(`custom.ons.${on}`) }))}
                />
              )}
            </Field>
          </div>
          {field.type === 'choice' && (
            <Field label={t('custom.options')} hint={t('custom.optionsHint')}>
              {(wiring) => (
                <TextInput
                  {...wiring}
                  value={field.options.join(', ')}
                  onChange={(text) => change(index, { options: text.split(',').map((option) => option.trimStart()) })}
                  onBlur={() => change(index, { options: field.options.map((option) => option.trim()).filter((option) => option !== '') })}
                />
              )}
            </Field>
          )}
          <span className="row">
            <Checkbox checked={field.required} onChange={(required) => change(index, { required })} label={t('custom.required')} />
            <span className="end">
              <IconButton
                size="small"
                look="ghost"
                label={t('custom.remove', { name: textOf(field.label, field.key) })}
                icon={<IconTrash size={16} stroke={1.75} aria-hidden />}
                onClick={() => set(value.filter((_, i) => i !== index))}
              />
            </span>
          </span>
        </fieldset>
      ))}
      <Button size="small" icon={<IconPlus size={16} stroke={1.75} aria-hidden />} onClick={add}>
        {t('custom.add')}
      </Button>
    </div>
  )
}

/** `champ_3`: the first that no field has. */
function freeKey(fields: readonly CustomField[], stem: string): string {
  for (let n = fields.length + 1; ; n++) if (!fields.some(({ key }) => key === `${stem}_${n}`)) return `${stem}_${n}`
}
