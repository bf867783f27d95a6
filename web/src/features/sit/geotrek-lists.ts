/** The lists of a Geotrek that a source can read. */
export const geotrekLists = ['poi', 'touristiccontent', 'touristicevent', 'service', 'informationdesk'] as const
export type GeotrekList = (typeof geotrekLists)[number]

/** The lists that a source reads: all where none was chosen. */
export function chosenLists(selections: string | null): readonly GeotrekList[] {
  if (selections === null || selections === '') return geotrekLists
  const chosen = selections.split(',').map((word) => word.trim())
  return geotrekLists.filter((list) => chosen.includes(list))
}

/** The choice with one list more or less: `null` for all. The last one stays. */
export function withList(selections: string | null, list: GeotrekList, isRead: boolean): string | null {
  const before = chosenLists(selections)
  const after = geotrekLists.filter((one) => (one === list ? isRead : before.includes(one)))
  if (after.length === 0) return selections
  return after.length === geotrekLists.length ? null : after.join(',')
}
