import type { Media } from '@/api/types'

export const ratios = ['whole', '3:2', '16:9', '1:1', '4:5'] as const
export type Ratio = (typeof ratios)[number]

const shapes: Record<Exclude<Ratio, 'whole'>, number> = { '3:2': 3 / 2, '16:9': 16 / 9, '1:1': 1, '4:5': 4 / 5 }
const round = (share: number) => Math.round(share * 10_000) / 10_000

/**
 * The largest crop of an image in a ratio, centred on the focal point as far as the borders allow. All values are shares of its width
 * and height; `shape` is its width divided by its height.
 */
export function cropOf(ratio: Ratio, shape: number, focal: { x: number; y: number }): Media['crop'] {
  if (ratio === 'whole') return null
  const wanted = shapes[ratio]
  const [w, h] = wanted > shape ? [1, shape / wanted] : [wanted / shape, 1]
  const inside = (centre: number, size: number) => Math.min(1 - size, Math.max(0, centre - size / 2))
  return { x: round(inside(focal.x, w)), y: round(inside(focal.y, h)), w: round(w), h: round(h) }
}

/** The offered ratio that is nearest to the ratio of a crop. */
export function ratioOf(crop: Media['crop'], shape: number): Ratio {
  if (crop === null || crop.h === 0) return 'whole'
  const own = (crop.w * shape) / crop.h
  return (
    (Object.entries(shapes) as [Exclude<Ratio, 'whole'>, number][]).toSorted(
      ([, a], [, b]) => Math.abs(a - own) - Math.abs(b - own),
    )[0]?.[0] ?? 'whole'
  )
}
