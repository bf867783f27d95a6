import { useCallback } from 'react'
import { textFor, useTranslation } from '@/i18n'
import { languageName } from '@/records/form/fields'

/** The label of a field by its path: « Titre (anglais) », « Étape 3 ». */
export function useFieldLabel(): (path: string) => string {
  const { t } = useTranslation('sheet')
  return useCallback(
    (path) => {
      const [field = '', part, name, language] = path.split('.')
      if (field === 'steps' && name !== undefined)
        return t('stepText', {
          place: Number(part) + 1,
          label: textFor(`sheet:field.${name}`) ?? name,
          language: language === undefined ? '' : languageName(language),
        })
      const label = textFor(`sheet:field.${field}`) ?? field
      if (part === undefined || /^\d+$/.test(part)) return label
      if (field === 'special_levels') return textFor(`common:scale.${part}`) ?? part
      return t('inLanguage', { label, language: languageName(part) })
    },
    [t],
  )
}
