import { useContext, useMemo } from 'react'
import { currentLocale, useTranslation } from '@/i18n'
import { Field, ReadOnly, type FieldProps } from '@/ui/field/Field'
import { Checkbox, SelectInput, Switch, type Choice } from '@/ui/field/inputs'
import { countryCodes } from './countries'
import { useField } from './form-context'
import { SearchOne } from '@/ui/select/lazy-select'
import { ReadOnlyContext } from './read-only'

type Common = Pick<FieldProps, 'label' | 'required' | 'hint' | 'tag'> & { name: string }

/** One of a few words. */
export function SelectField({ name, choices, empty, ...field }: Common & { choices: readonly Choice[]; empty?: string }) {
  const { value, set, error } = useField<string | null>(name)
  if (useContext(ReadOnlyContext))
    return <ReadOnly label={field.label}>{choices.find((choice) => choice.value === value)?.label ?? value}</ReadOnly>
  return (
    <Field {...field} error={error} path={name}>
      {(wiring) => <SelectInput {...wiring} value={value ?? null} onChange={set} choices={choices} empty={empty} />}
    </Field>
  )
}

/** Yes or no. */
export function CheckField({ name, label, hint }: Common) {
  const { t } = useTranslation()
  const { value, set } = useField<boolean | undefined>(name)
  if (useContext(ReadOnlyContext)) return <ReadOnly label={label}>{t(value === true ? 'yes' : 'no')}</ReadOnly>
  return <Checkbox data-field={name} checked={value ?? false} onChange={set} label={label} hint={hint} />
}

/** The same as a switch, for a lasting setting. */
export function SwitchField({ name, label, hint }: Common) {
  const { t } = useTranslation()
  const { value, set } = useField<boolean | undefined>(name)
  if (useContext(ReadOnlyContext)) return <ReadOnly label={label}>{t(value === true ? 'yes' : 'no')}</ReadOnly>
  return <Switch data-field={name} checked={value ?? false} onChange={set} label={label} hint={hint} />
}

/** A country by its ISO code, named in the language of the screen. */
export function CountryField({ name, ...field }: Common) {
  const { value, set, error } = useField<string | null>(name)
  const locale = currentLocale()
  const data = useMemo(() => countryChoices(locale), [locale])
  if (useContext(ReadOnlyContext)) return <ReadOnly label={field.label}>{data.find((one) => one.value === value)?.label ?? value}</ReadOnly>
  return (
    <Field {...field} error={error} path={name}>
      {(wiring) => <SearchOne wiring={wiring} choices={data} value={value ?? null} onChange={set} />}
    </Field>
  )
}

/** The countries of the world in the order of the language; France first. */
export function countryChoices(locale: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames([locale], { type: 'region' })
  const all = countryCodes
    .map((code) => ({ value: code, label: names.of(code) ?? code }))
    .sort((a, b) => a.label.localeCompare(b.label, locale))
  return [...all.filter(({ value }) => value === 'FR'), ...all.filter(({ value }) => value !== 'FR')]
}
