import { currentLocale, tagOf, useTranslation } from '@/i18n'
import { isSource } from './statistics'

/** The names of the groups of figures. */
export function useNames() {
  const { t } = useTranslation('statistics')
  const tag = tagOf(currentLocale())
  const capital = (word: string) => word.charAt(0).toLocaleUpperCase(tag) + word.slice(1)
  const nameOf = (type: 'region' | 'language') => (key: string) => {
    if (key === 'unknown') return t('unknown')
    try {
      return capital(new Intl.DisplayNames([tag], { type }).of(key) ?? key)
    } catch {
      // The address may hold anything.
      return key
    }
  }
  return { country: nameOf('region'), language: nameOf('language'), source: (key: string) => (isSource(key) ? t(`sources.${key}`) : key) }
}
