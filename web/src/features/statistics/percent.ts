/** How many percent more than before, whole ones; nothing can be said where there was nothing. */
export const percentMore = (now: number, before: number): number | null => (before === 0 ? null : Math.round(((now - before) / before) * 100))
