import type { WatchStretch } from '@/api/types'
import { useTranslation } from '@/i18n'
import { format } from '@/ui/format'

/** A, B … Z, then A1, B1 … */
export const letterOf = (rank: number): string => String.fromCodePoint(65 + (rank % 26)) + (rank < 26 ? '' : String(Math.floor(rank / 26)))

/** The cause of a stretch, in the words of the trace editor. */
export function useCause(): (stretch: { cause: WatchStretch['cause'] | NonNullable<WatchStretch['was']>; max_offset_m: number }) => string {
  const { t } = useTranslation('watch')
  return ({ cause, max_offset_m: metres }) =>
    cause === 'now_on_way' ? t('nowOnWay') : t(`trace:reliability.cause.${cause}`, { metres: format.metres(metres) })
}
