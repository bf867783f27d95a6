import { textFor, translate } from '@/i18n'
import { SelectField } from '@/records/form/choice-fields'
import { useField } from '@/records/form/form-context'
import { itemIcons } from './icons'

const icons = Object.keys(itemIcons)

/** One of the icons by its name; one that came from elsewhere stays until another is chosen. */
export function IconField({ name, label }: { name: string; label: string }) {
  const { value } = useField<string | null>(name)
  const known = value === null || icons.includes(value) ? [...icons] : [...icons, value]
  return (
    <SelectField
      name={name}
      label={label}
      choices={known.map((icon) => ({ value: icon, label: textFor(`settings:icon.${icon}`) ?? icon }))}
      empty={translate('settings:noIcon')}
    />
  )
}
