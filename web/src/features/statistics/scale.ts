/** The marks of an axis from 0 to at least the greatest value: three to six whole ones, 1, 2 or 5 times a power of ten apart. */
export function marksUpTo(greatest: number): number[] {
  const rough = Math.max(1, greatest) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, [1, 2, 5, 10].map((times) => times * power).find((size) => size >= rough) ?? 10 * power)
  const count = Math.max(1, Math.ceil(greatest / step))
  return Array.from({ length: count + 1 }, (_, at) => at * step)
}

/** Which of `count` points have their name under the axis: at most as many as fit. */
export function namedPoints(count: number, widthPx: number, namePx: number): number[] {
  const fit = Math.max(2, Math.floor(widthPx / namePx))
  const every = Math.max(1, Math.ceil(count / fit))
  return Array.from({ length: Math.ceil(count / every) }, (_, at) => at * every)
}
