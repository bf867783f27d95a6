/** The values as they are sent: what was emptied is nothing. */
export const customBody = (values: Record<string, unknown>): Record<string, unknown> => Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value === '' ? null : value]))

/** Where an address and the server have the filter of such a field. */
export const customPrefix = 'custom.'
