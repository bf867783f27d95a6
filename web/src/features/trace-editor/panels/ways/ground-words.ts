import { useTranslation } from '@/i18n'
import type { Route } from '@/api/types'
import { format } from '@/ui/format'
import { shares } from '../../logic/ways'

/** Less than this share is not worth a word. */
const WORTH = 0.01
/** As many as fit on two lines. */
const MOST = 3

/** Surfaces and kinds of way in words, the longest first. */
export function useGroundWords() {
  const { t } = useTranslation('trace')
  const named = (route: Route, about: 'surfaces' | 'kinds') =>
    about === 'surfaces'
      ? route.surfaces.map(({ surface, length_m }) => ({ name: t(`surface.${surface}`), length_m }))
      : route.way_kinds.map(({ kind, length_m }) => ({ name: kind === null ? t('wayKind.off') : t(`wayKind.${kind}`), length_m }))
  const worth = (route: Route, about: 'surfaces' | 'kinds') => shares(named(route, about)).filter(({ share }) => share >= WORTH)
  return {
    /** « stabilisé 82 %, revêtu 18 % » */
    line: (route: Route, about: 'surfaces' | 'kinds'): string =>
      worth(route, about)
        .slice(0, MOST)
        .map(({ name, share }) => `${name} ${format.percent(Math.round(share * 100), 0)}`)
        .join(', '),
    parts: (route: Route, about: 'surfaces' | 'kinds') =>
      worth(route, about).map(({ name, share }) => ({ words: name, length_m: share * route.distance_m })),
  }
}
