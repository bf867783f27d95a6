import type { Address, Poi, RoadbookStay, RoadbookVoucher, SitRecordPage, Step } from '@/api/types'
import { textOf } from '@/ui/format'
import { addDays } from './days'

/** The values that a night takes from a record: the name of the house, and its contact. */
export type NightPlace = Pick<RoadbookStay, 'name' | 'address' | 'phone' | 'web'>

const textOrEmpty = (words: unknown): string => (typeof words === 'string' ? words : '')

function lines(address: Partial<Address> | undefined): string[] {
  const town = [address?.postcode, address?.city]
    .map(textOrEmpty)
    .filter((part) => part !== '')
    .join(' ')
  return [textOrEmpty(address?.street), town].filter((line) => line !== '')
}

export const placeOfPoi = ({ title, address, phone, website }: Poi): NightPlace => ({
  name: textOf(title, ''),
  address: lines(address),
  phone: textOrEmpty(phone),
  web: textOrEmpty(website),
})

/** The shown place of a SIT record: the source's fields, replaced by the overrides. */
export function placeOfSit({ title, said: source, overrides }: SitRecordPage): NightPlace {
  const shown = { ...source, ...overrides }
  return {
    name: textOf(title, ''),
    address: lines(shown['address'] as Partial<Address> | undefined),
    phone: textOrEmpty(shown['phone']),
    web: textOrEmpty(shown['website']),
  }
}

/** A night with what a record says; what the record does not say stays as it was typed. */
export const filled = (stay: RoadbookStay, place: NightPlace): RoadbookStay => ({
  ...stay,
  name: place.name === '' ? stay.name : place.name,
  address: place.address.length === 0 ? stay.address : place.address,
  phone: place.phone === '' ? stay.phone : place.phone,
  web: place.web === '' ? stay.web : place.web,
})

/** Whether a client sleeps in the house of the parcours' roadbook: nothing else is named. */
const isSameHouse = (own: RoadbookStay, model: RoadbookStay): boolean => own.name === '' || own.name === model.name

/** A client's night: what it leaves empty comes from the parcours' roadbook, unless it names another house. The server prints the same. */
export function nightOver(own: RoadbookStay, model: RoadbookStay | undefined): RoadbookStay {
  if (model === undefined || !isSameHouse(own, model)) return own
  const given = Object.entries(own).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value !== null && value !== ''))
  return { ...model, ...Object.fromEntries(given) }
}

/** The number of nights at a step, as the roadbook counts them. */
export const nightsAt = ({ kind, nights }: Step): number => Math.max(1, nights ?? (kind === 'nights' ? 2 : 1))

/** The day on which a night begins. */
export function dayOfNight(startsOn: string | null, nights: readonly Step[], step: Step): string | null {
  if (startsOn === null) return null
  const before = nights.slice(
    0,
    nights.findIndex(({ id }) => id === step.id),
  )
  return addDays(
    startsOn,
    before.reduce((sum, night) => sum + nightsAt(night), 0),
  )
}

/** The voucher of a night: who provides it, when, for how many; the service is given in words. */
export const voucherOf = (stay: RoadbookStay, step: Step, day: string | null, people: string, service: string): RoadbookVoucher => ({
  provider: stay.name === '' ? textOf(step.title, '') : stay.name,
  place: stay.address.join(', '),
  phone: stay.phone,
  date: day,
  service,
  people,
  settlement: '',
})
