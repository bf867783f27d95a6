import { useTranslation } from '@/i18n'
import { Checkbox, Choices } from '@/ui/field/inputs'
import { useField } from '@/records/form/form-context'
import { chosenLists, geotrekLists, withList } from './geotrek-lists'

/** Which lists of a Geotrek a source reads. */
export function GeotrekLists() {
  const { t } = useTranslation('sit')
  const { value, set } = useField<string | null>('selections')
  const chosen = chosenLists(value)
  return (
    <Choices label={t('source.lists.label')} hint={t('source.lists.hint')} data-field="selections">
      {geotrekLists.map((list) => (
        <Checkbox
          key={list}
          checked={chosen.includes(list)}
          onChange={(isRead) => set(withList(value, list, isRead))}
          label={t(`source.lists.${list}`)}
        />
      ))}
    </Choices>
  )
}
