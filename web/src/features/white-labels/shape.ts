/** The choice for the value of the filter on loops; `null`, for both, is no choice. */
export const shapeOf = (isLoop: unknown): 'loop' | 'oneWay' | null => (isLoop === true ? 'loop' : isLoop === false ? 'oneWay' : null)
