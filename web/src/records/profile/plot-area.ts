/** The left and right edges of the curve of a profile; the parts under it have the same edges. */
export const plotArea = {
  /** Room for the heights at the left. */
  leftPx: 54,
  rightPx: 10,
}
