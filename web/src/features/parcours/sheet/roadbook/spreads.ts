/** The pages that lie open together: the cover alone, then a left and a right one; on large paper one at a time. */
export const spread = (open: number, double: boolean): number[] => {
  if (!double) return [open + 1]
  return open === 0 ? [1] : [open * 2, open * 2 + 1]
}

/** The number of double pages of a roadbook with this number of pages. */
export const spreads = (pages: number, double: boolean): number => Math.max(1, double ? Math.floor(pages / 2) + 1 : pages)
