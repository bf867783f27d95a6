const INK = '#17211c'

const channel = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)

/** Relative luminance of `#rrggbb` (WCAG 2.2). */
function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => channel(parseInt(color.slice(at, at + 2), 16) / 255))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** What is written in a colour and on it: where it cannot be read on white, words stay dark. */
export function paletteOf(color: string | null): { fill: string; on: string; words: string } {
  const fill = /^#[\da-f]{6}$/i.test(color ?? '') ? String(color) : '#0b5f50'
  const light = luminance(fill)
  // 4.5 to 1 against white, the other way round against ink.
  return { fill, on: light > 0.1833 ? INK : '#fff', words: light > 0.1833 ? INK : fill }
}
