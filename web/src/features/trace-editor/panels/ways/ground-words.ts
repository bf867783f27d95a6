import { useTranslation } from '@/i18n'
import type { PlannedRoute } from '@/api/model'
import { format } from '@/ui/format'
import { shares } from '../../logic/ways'

/** Less than this share is not worth a word. */
const WORTH = 0.01

/** « 82 % revêtu, 18 % stabilisé », « sentier 60 %, bac 40 % » : the longest first, a few at most. */
export function useGroundWords() {
  const { t } = useTranslation('trace')
  const written = (parts: readonly { words: string; length_m: number }[], most: number): string =>
    shares(parts.map(({ words, length_m }) => ({ name: words, length_m })))
      .filter(({ share }) => share >= WORTH)
      .slice(0, most)
      .map(({ name, share }) => `${name} ${format.percent(Math.round(share * 100), 0)}`)
      .join(', ')
  return {
    surfaces: (surfaces: PlannedRoute['surfaces'], most = 3) => written(surfaces.map(({ surface, length_m }) => ({ words: t(`surface.${surface}`), length_m })), most),
    kinds: (kinds: PlannedRoute['way_kinds'], most = 3) => written(kinds.map(({ kind, length_m }) => ({ words: kind === null ? t('wayKind.off') : t(`wayKind.${kind}`), length_m })), most),
  }
}
