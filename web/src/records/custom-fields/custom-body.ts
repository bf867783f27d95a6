/** The values in the shape in which they are sent: an emptied one is null. */
export const customBody = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value === '' ? null : value]))

/** Where an address and the server have the filter of such a field. */
export const customPrefix = 'custom.'
