import type { AudioStop, AudioStory, AudioWalk, LngLat, Position, Trace } from '@/api/types'
import { DEGREE_M } from '@/records/map/geo'
import { nearest, positionAt, type MeasuredLine } from '@/records/map/line'
import type { Values } from '@/records/form/paths'
import { rounded } from '@/records/shape/nudge'

/** The values of the form: the walk in the shape in which it is sent. */
export type WalkValues = AudioWalk & Values

export const blankStory: AudioStory = { text: '', transcript: '', media_id: null }

/** The line people follow: the planned one where it can be trusted to guide, else the recording. The server measures the same one. */
export function lineOf(trace: Trace | null | undefined): readonly Position[] {
  return trace?.line ?? []
}

/** The distance of a place along the line, in metres. */
export const alongM = (line: MeasuredLine, place: Position): number => nearest(line, [place[0], place[1]])?.atM ?? 0

/** The place at a distance in metres along a line. */
export function placeAt(line: MeasuredLine, atM: number): LngLat | null {
  const at = positionAt(line, atM)
  return at && rounded([at[0], at[1]])
}

/** A new stop after another one: half-way to the next, or to the end. It has no number yet: the server gives it. */
export function newStop(line: MeasuredLine, stops: readonly AudioStop[], after: number): AudioStop | null {
  const from = stops[after] === undefined ? 0 : alongM(line, stops[after].position)
  const next = stops[after + 1]
  const to = next === undefined ? line.lengthM : alongM(line, next.position)
  const place = placeAt(line, to > from ? (from + to) / 2 : from)
  return place && stopAt(place, '', '')
}

/** A stop at a place. */
export const stopAt = (position: LngLat, title: string, text: string): AudioStop => ({
  id: 0,
  title,
  position,
  radius_m: 25,
  corners: [],
  once: true,
  delay_s: 0,
  story: { ...blankStory, text },
  transition_media_id: null,
})

/** A walk in another language begun from this one: its places and recordings, without its words. */
export const begunFrom = (walk: AudioWalk): AudioWalk => ({
  ...walk,
  enabled: false,
  voice: '',
  lexicon: [],
  intro: blankStory,
  outro: blankStory,
  stops: walk.stops.map((stop) => ({ ...stop, story: blankStory })),
})

/** The zone of a stop as a ring on the map. */
export function ringOf({ position: [lon, lat], radius_m, corners }: Pick<AudioStop, 'position' | 'radius_m' | 'corners'>): LngLat[] {
  const first = corners[0]
  if (first !== undefined) return [...corners, first]
  const up = radius_m / DEGREE_M
  const aside = up / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
  return Array.from({ length: 49 }, (_, index) => {
    const angle = (index / 48) * 2 * Math.PI
    return [lon + aside * Math.cos(angle), lat + up * Math.sin(angle)]
  })
}
