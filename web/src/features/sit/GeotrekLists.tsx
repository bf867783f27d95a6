import { useTranslation } from '@/i18n'
import { Checkbox } from '@/ui/field/inputs'
import { useField } from '@/records/form/form-context'
import { chosenLists, geotrekLists, withList } from './geotrek-lists'

/** Which lists of a Geotrek a source reads. */
export function GeotrekLists() {
  const { t } = useTranslation('sit')
  const { value, set } = useField<string | null>('selections')
  const chosen = chosenLists(value)
  return (
    <fieldset style={{ border: 0, display: 'grid', gap: 8 }} data-field="selections">
      <legend style={{ font: '500 13px/18px var(--font)', marginBottom: 6, padding: 0 }}>{t('source.lists.label')}</legend>
      {geotrekLists.map((list) => (
        <Checkbox
          key={list}
          checked={chosen.includes(list)}
          onChange={(isRead) => set(withList(value, list, isRead))}
          label={t(`source.lists.${list}`)}
        />
      ))}
      <p className="small muted">{t('source.lists.hint')}</p>
    </fieldset>
  )
}
