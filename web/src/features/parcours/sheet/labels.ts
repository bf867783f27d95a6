import { textFor, useTranslation } from '@/i18n'
import { languageName } from '@/ui/form/fields'

/** The label of a field by its path: « Titre (anglais) », « Étape 3 ». */
export function useFieldLabel(): (path: string) => string {
  const { t } = useTranslation('sheet')
  return (path) => {
    const [field = '', part] = path.split('.')
    const label = textFor(`sheet:field.${field}`) ?? field
    if (part === undefined || /^\d+$/.test(part)) return label
    if (field === 'special_levels') return textFor(`common:scale.${part}`) ?? part
    return t('inLanguage', { label, language: languageName(part) })
  }
}
