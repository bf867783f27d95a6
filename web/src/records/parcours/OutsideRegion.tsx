import { payload } from '@/api/payload'
import type { Position } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Banner } from '@/ui/feedback/Banner'
import { format } from '@/ui/format'

/** A smaller share is the edge of the region. */
const LEAST_SHARE = 0.01

/** The share of a line's points outside the region of this server; 0 where it is negligible, or no region is known. */
export function outsideShare(line: readonly Position[]): number {
  const [west, south, east, north] = payload().map.bbox ?? []
  if (west === undefined || south === undefined || east === undefined || north === undefined || line.length === 0) return 0
  const share = line.filter(([lon, lat]) => lon < west || lon > east || lat < south || lat > north).length / line.length
  return share < LEAST_SHARE ? 0 : share
}

/** A warning before a file is imported: beyond the map nothing is planned nor judged. */
export function OutsideRegion({ line }: { line: readonly Position[] }) {
  const { t } = useTranslation('trace')
  const share = outsideShare(line)
  if (share === 0) return null
  return <Banner tone="warn">{share > 0.99 ? t('import.outsideAll') : t('import.outside', { share: format.percent(100 * share) })}</Banner>
}
