import type { WidgetFacts } from '@/api/types'
import { isColor } from '@/records/form/ColorField'

/** The choices for a widget. */
export interface Choice {
  show: 'parcours' | 'list' | 'map' | null
  whiteLabel: number
  parcours: number | null
  which: 'all' | 'filtered' | 'chosen'
  ids: readonly number[]
  practices: readonly number[]
  themes: readonly number[]
  lang: string
  /** `null`: the white-label's own. */
  color: string | null
  height: number | null
}

/** A script, an `iframe`, or Geotrek's own widget. */
export type CodeKind = 'script' | 'frame' | 'geotrek'

export const heights = { min: 200, max: 2000 }
export const colorOf = (choice: Choice, facts: WidgetFacts): string => choice.color ?? facts.color

/** The choices that are still missing: the key of the message, and whether colour and height are invalid. */
export function missing(choice: Choice): {
  what: 'showMissing' | 'parcoursMissing' | 'filterMissing' | 'chosenMissing' | null
  color: boolean
  height: boolean
} {
  const { show, which, height } = choice
  const what = () => {
    if (show === null) return 'showMissing'
    if (show === 'parcours') return choice.parcours === null ? 'parcoursMissing' : null
    if (which === 'filtered' && choice.practices.length + choice.themes.length === 0) return 'filterMissing'
    return which === 'chosen' && choice.ids.length === 0 ? 'chosenMissing' : null
  }
  return {
    what: what(),
    color: choice.color !== null && !isColor(choice.color),
    height: height === null || height < heights.min || height > heights.max,
  }
}

/** The attributes of the element, in the order they are written. */
export function attributesOf(choice: Choice, facts: WidgetFacts): [string, string][] {
  const several = choice.show !== 'parcours'
  const given: [string, string][] = [
    ['key', facts.key],
    ['show', choice.show ?? 'list'],
    ['parcours', several ? '' : String(choice.parcours ?? '')],
    ['ids', several && choice.which === 'chosen' ? choice.ids.join(',') : ''],
    ['practices', several && choice.which === 'filtered' ? choice.practices.join(',') : ''],
    ['themes', several && choice.which === 'filtered' ? choice.themes.join(',') : ''],
    ['lang', choice.lang],
    ['color', colorOf(choice, facts).toLowerCase()],
    ['height', String(choice.height ?? '')],
  ]
  return given.filter(([, value]) => value !== '')
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** The URL of the page in the frame, with the choices as parameters. */
export function frameAddress(choice: Choice, facts: WidgetFacts, base = facts.frame_url): string {
  return `${base}?${new URLSearchParams(attributesOf(choice, facts)).toString().replaceAll('%2C', ',')}`
}

/** Where Geotrek publishes its widget. */
const geotrekFiles = 'https://rando-widget.geotrek.fr/latest/dist/geotrek-rando-widget/geotrek-rando-widget'

/** The code of Geotrek's own widget: it shows lists, filtered by practices and themes. */
function geotrekCode(choice: Choice, facts: WidgetFacts, mapName: string): string {
  const filtered = choice.show !== 'parcours' && choice.which === 'filtered'
  const given: [string, string][] = [
    ['api', facts.geotrek.api_url],
    ['languages', choice.lang],
    ['app-width', '100%'],
    ['app-height', `${choice.height ?? heights.min}px`],
    ['color-primary-app', colorOf(choice, facts).toLowerCase()],
    ['practices', filtered ? choice.practices.join(',') : ''],
    ['themes', filtered ? choice.themes.join(',') : ''],
    ['name-layer', mapName],
    ['url-layer', facts.geotrek.layer_url],
    ['attribution-layer', facts.geotrek.attribution],
  ]
  const attributes = given.flatMap(([name, value]) => (value === '' ? [] : [` ${name}="${escape(value)}"`]))
  return `<link rel="stylesheet" href="${geotrekFiles}.css">\n<script type="module" src="${geotrekFiles}.esm.js"></script>\n<grw-app${attributes.join('')}></grw-app>`
}

/** The origin of a site to allow: no path, and `https://` is added where the scheme is missing. Null when it is not an address. */
export function siteOf(typed: string): string | null {
  const words = typed.trim()
  const address = /^https?:\/\//i.test(words) ? words : `https://${words}`
  if (words === '' || !URL.canParse(address)) return null
  const { origin, hostname } = new URL(address)
  return hostname === 'localhost' || hostname.includes('.') ? origin : null
}

/** The code to paste into the page. `title` names the content of a frame, or the map of Geotrek's widget. */
export function codeOf(choice: Choice, facts: WidgetFacts, kind: CodeKind, title: string): string {
  if (kind === 'geotrek') return geotrekCode(choice, facts, title)
  if (kind === 'frame')
    return `<iframe src="${escape(frameAddress(choice, facts))}" title="${escape(title)}" width="100%" height="${choice.height ?? heights.min}" style="border:0" loading="lazy"></iframe>`
  const attributes = attributesOf(choice, facts).map(([name, value]) => ` ${name}="${escape(value)}"`)
  return `<script type="module" src="${escape(facts.script_url)}"></script>\n<jalon-widget${attributes.join('')}></jalon-widget>`
}
