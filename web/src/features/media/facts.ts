import type { Media } from '@/api/types'
import { translate } from '@/i18n'
import { format } from '@/ui/format'

function clock(duration: number): string {
  const seconds = Math.round(duration)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** « 3 840 × 2 560 · 6,0 Mo », « 0:42 · 7,9 Mo », « 24 pages · 6,8 Mo » */
export function mediaFacts({
  width,
  height,
  duration_s: duration,
  pages,
  bytes,
}: Pick<Media, 'width' | 'height' | 'duration_s' | 'pages' | 'bytes'>): string {
  const parts = [
    duration === null || duration === undefined ? undefined : clock(duration),
    pages === null || pages === undefined ? undefined : translate('media:pages', { count: pages }),
    width === null || height === null || pages ? undefined : `${format.number(width)} × ${format.number(height)}`,
    format.bytes(bytes),
  ]
  return parts.filter((part) => part !== undefined).join(' · ')
}
