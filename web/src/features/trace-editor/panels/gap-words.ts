import { useTranslation } from '@/i18n'
import { format } from '@/ui/format'
import type { Gap } from '../logic/gaps'

/** Why a stretch does not match, in words. */
export function useCause(): (gap: Gap) => string {
  const { t } = useTranslation('trace')
  return (gap) => t(`reliability.cause.${gap.cause}`, { metres: format.metres(gap.max_offset_m ?? 0) })
}

/** The words of the recommended button. */
export function useFixWords(): (gap: Gap) => string {
  const { t } = useTranslation('trace')
  return (gap) => {
    if (gap.fix?.kind === 'snap') return t('reliability.fix.constant_shift')
    return gap.cause === 'no_way' || gap.cause === 'forbidden' ? t(`reliability.fix.${gap.cause}`) : t('reliability.fix.other')
  }
}

/** « A », « A et B ». */
export const lettersText = (letters: readonly string[]): string => format.list([...letters])
