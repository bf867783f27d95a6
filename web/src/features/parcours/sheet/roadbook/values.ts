import type { RoadbookSettings, RoadbookStay, Step } from '@/api/types'
import { ProblemError } from '@/api/problem'
import type { Values } from '@/records/form/paths'

/** The values of the form: the settings, with a stay for each night of the trip. */
export type RoadbookValues = RoadbookSettings & Values

const nightKinds: readonly Step['kind'][] = ['night', 'nights', 'step_night']

/** The steps with a night, each the end of a day. */
export const nightsOf = (steps: readonly Step[]): Step[] => steps.filter(({ kind }) => nightKinds.includes(kind))

export const blankStay = (step_id: number): RoadbookStay => ({
  step_id,
  name: '',
  kind: '',
  address: [],
  phone: '',
  web: '',
  check_in: null,
  check_out: null,
  code: '',
  room: '',
  meals: [],
  bike: '',
  luggage: '',
  note: '',
  media_id: null,
})

/** A stay for each night, in the order of the steps. The stay of a removed step is left out, and the next save deletes it. */
export const staysOf = (stays: readonly RoadbookStay[], steps: readonly Step[]): RoadbookStay[] =>
  nightsOf(steps).map(({ id }) => stays.find(({ step_id }) => step_id === id) ?? blankStay(id))

export const toValues = (settings: RoadbookSettings, steps: readonly Step[]): RoadbookValues => ({
  ...settings,
  stays: staysOf(settings.stays, steps),
})

const isFilled = ([name, value]: [string, unknown]): boolean =>
  name !== 'step_id' && (Array.isArray(value) ? value.length > 0 : value !== null && value !== '')

const isWritten = (stay: RoadbookStay): boolean => Object.entries(stay).some(isFilled)

/** The stays that are sent: for an empty one the roadbook prints the texts of the step. */
export const writtenStays = (stays: readonly RoadbookStay[]): RoadbookStay[] => stays.filter(isWritten)

export const toSettings = (values: RoadbookValues): RoadbookSettings => ({ ...values, stays: writtenStays(values.stays) })

/** The server numbers the stays that were sent, the form numbers all nights: moves each fault to the night it is about. */
export function atTheirNights(error: unknown, stays: readonly RoadbookStay[]): unknown {
  if (!(error instanceof ProblemError) || error.faults.length === 0) return error
  const sent = stays.flatMap((stay, index) => (isWritten(stay) ? [index] : []))
  const errors = error.faults.map((fault) => ({
    ...fault,
    ...(fault.field !== undefined && {
      field: fault.field.replace(/^\/stays\/(\d+)/u, (_, at: string) => `/stays/${sent[Number(at)] ?? at}`),
    }),
  }))
  return new ProblemError(
    error.status,
    { code: error.code, params: error.params, errors, ...(error.current !== undefined && { current: error.current }) },
    error.retryAfterS,
  )
}
