import type account from './fr/account.json'
import type assistant from './fr/assistant.json'
import type attach from './fr/attach.json'
import type audioWalk from './fr/audioWalk.json'
import type bin from './fr/bin.json'
import type campaigns from './fr/campaigns.json'
import type closures from './fr/closures.json'
import type common from './fr/common.json'
import type errors from './fr/errors.json'
import type ground from './fr/ground.json'
import type groundEntries from './fr/groundEntries.json'
import type help from './fr/help.json'
import type history from './fr/history.json'
import type home from './fr/home.json'
import type imports from './fr/imports.json'
import type itineraries from './fr/itineraries.json'
import type jobs from './fr/jobs.json'
import type journal from './fr/journal.json'
import type lines from './fr/lines.json'
import type login from './fr/login.json'
import type media from './fr/media.json'
import type parcours from './fr/parcours.json'
import type parcoursBulk from './fr/parcoursBulk.json'
import type people from './fr/people.json'
import type pois from './fr/pois.json'
import type providers from './fr/providers.json'
import type resource from './fr/resource.json'
import type reviews from './fr/reviews.json'
import type roadbook from './fr/roadbook.json'
import type roadbookRuns from './fr/roadbookRuns.json'
import type search from './fr/search.json'
import type settings from './fr/settings.json'
import type sit from './fr/sit.json'
import type sheet from './fr/sheet.json'
import type shell from './fr/shell.json'
import type statistics from './fr/statistics.json'
import type status from './fr/status.json'
import type table from './fr/table.json'
import type trace from './fr/trace.json'
import type transport from './fr/transport.json'
import type translation from './fr/translation.json'
import type watch from './fr/watch.json'
import type whiteLabels from './fr/whiteLabels.json'
import type widget from './fr/widget.json'

/** The areas of texts. One line an area: a key that does not exist is then an error of the compiler. */
export interface Resources {
  account: typeof account
  assistant: typeof assistant
  attach: typeof attach
  audioWalk: typeof audioWalk
  bin: typeof bin
  campaigns: typeof campaigns
  closures: typeof closures
  common: typeof common
  errors: typeof errors
  ground: typeof ground
  groundEntries: typeof groundEntries
  help: typeof help
  history: typeof history
  home: typeof home
  imports: typeof imports
  itineraries: typeof itineraries
  jobs: typeof jobs
  journal: typeof journal
  lines: typeof lines
  login: typeof login
  media: typeof media
  parcours: typeof parcours
  parcoursBulk: typeof parcoursBulk
  people: typeof people
  pois: typeof pois
  providers: typeof providers
  resource: typeof resource
  reviews: typeof reviews
  roadbook: typeof roadbook
  roadbookRuns: typeof roadbookRuns
  search: typeof search
  settings: typeof settings
  sit: typeof sit
  sheet: typeof sheet
  shell: typeof shell
  statistics: typeof statistics
  status: typeof status
  table: typeof table
  trace: typeof trace
  transport: typeof transport
  translation: typeof translation
  watch: typeof watch
  whiteLabels: typeof whiteLabels
  widget: typeof widget
}

export type Area = keyof Resources

type Singular<K extends string> = K extends `${infer Stem}_one` | `${infer Stem}_other` ? Stem : K
type Leaves<T, Before extends string = ''> = {
  [K in keyof T & string]: T[K] extends string ? `${Before}${Singular<K>}` : Leaves<T[K], `${Before}${K}.`>
}[keyof T & string]

/** The keys of one area: `list.title`, plural endings left out. */
export type KeyOf<A extends Area> = Leaves<Resources[A]>
/** The keys of every area with its name: `errors:internal`. */
export type AnyKey = { [A in Area]: `${A}:${KeyOf<A>}` }[Area]
