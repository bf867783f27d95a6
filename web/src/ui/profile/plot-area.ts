/** Where the curve of a profile begins and ends: what stands under it keeps to the same edges. */
export const plotArea = {
  /** Room for the heights at the left. */
  leftPx: 54,
  rightPx: 10,
}
