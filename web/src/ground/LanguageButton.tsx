import { currentLocale, useTranslation } from '@/i18n'
import { switchLocale } from '@/i18n/locale'
import { BigButton } from './parts'

/** The page has one address for both languages: the choice is in the cookie. */
export function LanguageButton() {
  const { t } = useTranslation('ground')
  const other = currentLocale() === 'fr' ? 'en' : 'fr'
  return (
    <BigButton lang={other} onClick={() => void switchLocale(other, { moveUrl: () => Promise.resolve() }).catch(() => undefined)}>
      {t('otherLanguage')}
    </BigButton>
  )
}
