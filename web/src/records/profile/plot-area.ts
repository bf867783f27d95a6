/** The left and right edges of the curve of a profile; what is shown under it has the same edges. */
export const plotArea = {
  /** Room for the heights at the left. */
  leftPx: 54,
  rightPx: 10,
}
