/** The change in whole percent; none when the earlier count is 0. */
export const percentMore = (now: number, before: number): number | null =>
  before === 0 ? null : Math.round(((now - before) / before) * 100)
