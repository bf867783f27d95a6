import { currentLocale } from '@/i18n'
import { withUnit } from '@/i18n/typography'

const nextDay = { fr: 'le lendemain', en: 'the day after' } as const

/** Seconds from midnight: « 18 h 05 », “18:05”; a time after midnight is followed by « le lendemain ». */
export function timeOfDay(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  const locale = currentLocale()
  const padded = String(minutes).padStart(2, '0')
  const at = locale === 'fr' ? withUnit(String(hours % 24), withUnit('h', padded)) : `${hours % 24}:${padded}`
  return hours < 24 ? at : `${at} ${nextDay[locale]}`
}
