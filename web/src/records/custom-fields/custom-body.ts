/** The values of custom fields as they are sent: an emptied one is null. */
export const customBody = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value === '' ? null : value]))

/** The prefix of the filters of custom fields, in addresses and in the API. */
export const customPrefix = 'custom.'
