import type { Position, TraceInspection, VocabularyAttributes, VocabularyItem } from '@/api/types'
import { distanceM } from '@/records/map/geo'
import { capitalized, fold } from '@/ui/text'

/** Guesses about the route of a file, for the user to confirm. */
export interface Guess {
  title: string
  shape: 'loop' | 'oneway'
  /** The practice's number; null where nothing in the file indicates it. */
  practice: number | null
}

/** The trace is a loop when its ends are nearer than this: the rule of the server (`trace::is_loop_like`). */
const [LOOP_BELOW_M, LOOP_BELOW_SHARE] = [100, 0.01]
/** A longer trace is taken for a ride, not a walk of one day. */
const WALK_BELOW_M = 35_000

/** Names that recorders give to a track without a name. */
const defaultNames =
  /^(track|trace|tracé|piste|route|activity|activité|sortie|itin[ée]raire|gpx|untitled|sans titre|acquisition|active log|current track)?[\s\d:._\-/]*(\.(gpx|kml|kmz|geojson|json|tcx|fit))?$/i

const withoutEnding = (fileName: string): string => fileName.replace(/\.(gpx|kml|kmz|geojson|json|tcx|fit)$/i, '')

/** A file's name as a title: without its ending, and with spaces where a file has none. */
function titleOfFile(fileName: string): string {
  const words = withoutEnding(fileName)
    .replaceAll(/[_+]+/g, ' ')
    .replaceAll(/(?<=\p{L})-(?=\p{L})/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return capitalized(words)
}

/** The title: the name of the track, else the name of the file; empty where both are default names. The server names a track without a
 * name after its file. */
export function guessTitle(name: string | null, fileName: string): string {
  const own = (name ?? '').trim()
  if (own !== '' && own !== withoutEnding(fileName) && !defaultNames.test(own)) return own.slice(0, 200)
  return defaultNames.test(fileName) ? '' : titleOfFile(fileName).slice(0, 200)
}

export function guessShape(line: readonly Position[], lengthM: number): Guess['shape'] {
  const [first, last] = [line[0], line.at(-1)]
  if (first === undefined || last === undefined || lengthM <= 0) return 'oneway'
  return distanceM(first, last) < Math.max(LOOP_BELOW_M, LOOP_BELOW_SHARE * lengthM) ? 'loop' : 'oneway'
}

/** Words that stand for a profile of the planner, in both languages. */
const wordsOf: Record<string, RegExp> = {
  mtb: /\b(vtt|mtb|mountain ?bike|enduro)\b/,
  gravel: /\bgravel\b/,
  road: /\b(route|road ?bike|cyclo(sport)?)\b/,
  ebike: /\b(vae|e-?bike|electrique)\b/,
  touring: /\b(velo|velos|cyclable|voie verte|bike|bicycle|cycling|cyclotourisme|veloroute)\b/,
  hiking: /\b(rando|randonnee|pedestre|marche|sentier|a pied|gr|gr ?\d+|hike|hiking|walk|walking|trail)\b/,
}

/** The practice: one whose name is in the title or the file's name, else one whose words are there, else one that suits the length. */
export function guessPractice(
  words: string,
  lengthM: number,
  practices: readonly Pick<VocabularyItem, 'id' | 'label' | 'attributes'>[],
): number | null {
  const folded = fold(words.replaceAll(/[_+.-]+/g, ' '))
  const named = practices.find(({ label }) =>
    Object.values(label).some((text) => text !== undefined && text.length > 2 && folded.includes(fold(text))),
  )
  if (named !== undefined) return named.id
  const profileOf = ({ attributes }: { attributes: VocabularyAttributes }) => attributes.profile
  const by = (profile: string) => practices.find((one) => profileOf(one) === profile)?.id
  const namedProfile = Object.keys(wordsOf).find((profile) => wordsOf[profile]?.test(folded) === true && by(profile) !== undefined)
  const order = namedProfile === undefined ? (lengthM > WALK_BELOW_M ? ['touring', 'gravel', 'road'] : ['hiking']) : [namedProfile]
  return order.map(by).find((id) => id !== undefined) ?? null
}

export const guessOf = (file: { name: string }, read: TraceInspection, practices: readonly VocabularyItem[]): Guess => {
  const title = guessTitle(read.name, file.name)
  return {
    title,
    shape: guessShape(read.line, read.distance_m),
    practice: guessPractice(`${read.name ?? ''} ${file.name}`, read.distance_m, practices),
  }
}
