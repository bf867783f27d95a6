import { textFor, translate } from '@/i18n'
import { SelectField } from '@/records/form/choice-fields'
import { useField } from '@/records/form/form-context'

/** The icons that the maps and the pages can draw. */
const icons = [
  'basket',
  'bed',
  'bike',
  'boat',
  'calendar',
  'car',
  'fork',
  'horse',
  'info',
  'leaf',
  'monument',
  'mtb',
  'multi',
  'skate',
  'snow',
  'ticket',
  'train',
  'walk',
  'warning',
  'wrench',
] as const

/** One of the icons by its name; one that came from elsewhere stays until another is chosen. */
export function IconField({ name, label }: { name: string; label: string }) {
  const { value } = useField<string | null>(name)
  const known = value === null || icons.some((icon) => icon === value) ? [...icons] : [...icons, value]
  return (
    <SelectField
      name={name}
      label={label}
      choices={known.map((icon) => ({ value: icon, label: textFor(`settings:icon.${icon}`) ?? icon }))}
      empty={translate('settings:noIcon')}
    />
  )
}
