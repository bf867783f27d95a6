import type { RoadbookSettings, RoadbookStay, Step } from '@/api/model'
import type { Values } from '@/ui/form/paths'

/** What the form holds: the settings, with a stay for each night of the trip. */
export type RoadbookValues = RoadbookSettings & Values

const nightKinds: readonly Step['kind'][] = ['night', 'nights', 'step_night']

/** The steps where one sleeps, each the end of a day. */
export const nightsOf = (steps: readonly Step[]): Step[] => steps.filter(({ kind }) => nightKinds.includes(kind))

const blankStay = (step_id: number): RoadbookStay => ({ step_id, name: '', kind: '', address: [], phone: '', check_in: null, check_out: null, code: '', room: '', meals: [], bike: '', luggage: '', note: '', media_id: null })

/** A stay for each night, in the order of the way; one of a step that is gone is not shown, and goes with the next save. */
export function toValues(settings: RoadbookSettings, steps: readonly Step[]): RoadbookValues {
  const stays = nightsOf(steps).map(({ id }) => settings.stays.find(({ step_id }) => step_id === id) ?? blankStay(id))
  return { ...settings, stays }
}

const says = ([name, value]: [string, unknown]): boolean => name !== 'step_id' && (Array.isArray(value) ? value.length > 0 : typeof value === 'string' && value !== '')

/** What is sent: a night nobody wrote of is left to the step's own words. */
export const toSettings = (values: RoadbookValues): RoadbookSettings => ({ ...values, stays: values.stays.filter((stay) => Object.entries(stay).some(says)) })
