/** WCAG relative luminance of `#RRGGBB`; `null` when it is no colour. */
export function luminance(color: string): number | null {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color)
  if (hex === null) return null
  const [r = 0, g = 0, b = 0] = hex.slice(1).map((part) => {
    const c = Number.parseInt(part, 16) / 255
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** The contrast of two colours, 1 to 21. */
export function contrast(a: string, b: string): number | null {
  const [la, lb] = [luminance(a), luminance(b)]
  if (la === null || lb === null) return null
  return (Math.max(la, lb) + 0.05) / (Math.min(la, lb) + 0.05)
}

/** The least contrast of a text for WCAG AA, and that of a drawing. */
export const readable = 4.5
export const visible = 3

const white = '#FFFFFF'

/** The colour of text on this one, as the public page chooses it: white where it can be read, else black. */
export const textOn = (color: string): '#FFFFFF' | '#000000' => ((contrast(color, white) ?? 0) >= readable ? white : '#000000')

/** The least contrast with one of these grounds. */
export const leastContrast = (color: string, grounds: readonly string[]): number =>
  Math.min(...grounds.map((ground) => contrast(color, ground) ?? 1))

/** The colour made darker until it has this contrast with these light grounds; unchanged when it has it already. */
export const darkerFor = (color: string, grounds: readonly string[], least: number): string | null => mixedUntil(color, 0, grounds, least)

/** The colour made lighter until it has this contrast with these dark texts; unchanged when it has it already. */
export const lighterFor = (color: string, texts: readonly string[], least: number): string | null => mixedUntil(color, 255, texts, least)

/** The colour with more and more of black (0) or white (255), until it has this contrast with the others. */
function mixedUntil(color: string, end: 0 | 255, others: readonly string[], least: number): string | null {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color)
  if (hex === null) return null
  const parts = hex.slice(1).map((part) => Number.parseInt(part, 16))
  for (let share = 100; share >= 0; share--) {
    const made = `#${parts
      .map((part) =>
        Math.round((part * share + end * (100 - share)) / 100)
          .toString(16)
          .padStart(2, '0'),
      )
      .join('')}`.toUpperCase()
    if (share === 0 || leastContrast(made, others) >= least) return made
  }
  return null
}
