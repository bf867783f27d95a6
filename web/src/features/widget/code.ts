import { isColor } from '@/ui/form/ColorField'

/** What is chosen of a widget. */
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

/** What the server says a white-label's widget is made from. */
export interface WidgetFacts {
  key: string
  script_url: string
  frame_url: string
  origins: string[]
  open: boolean
  color: string
}

export const heights = { min: 200, max: 2000 }
export const colorOf = (choice: Choice, facts: WidgetFacts): string => choice.color ?? facts.color

/** What is still to be filled in, by the sentence that says so. */
export function missing(choice: Choice): { what: 'showMissing' | 'parcoursMissing' | 'filterMissing' | 'chosenMissing' | null; color: boolean; height: boolean } {
  const { show, which, height } = choice
  const what = () => {
    if (show === null) return 'showMissing'
    if (show === 'parcours') return choice.parcours === null ? 'parcoursMissing' : null
    if (which === 'filtered' && choice.practices.length + choice.themes.length === 0) return 'filterMissing'
    return which === 'chosen' && choice.ids.length === 0 ? 'chosenMissing' : null
  }
  return { what: what(), color: choice.color !== null && !isColor(choice.color), height: height === null || height < heights.min || height > heights.max }
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

/** The page for a frame, with what it is asked. */
export function frameAddress(choice: Choice, facts: WidgetFacts, base = facts.frame_url): string {
  return `${base}?${new URLSearchParams(attributesOf(choice, facts)).toString().replaceAll('%2C', ',')}`
}

/** What is pasted into the page. */
export function codeOf(choice: Choice, facts: WidgetFacts, kind: 'script' | 'frame', title: string): string {
  if (kind === 'frame') return `<iframe src="${escape(frameAddress(choice, facts))}" title="${escape(title)}" width="100%" height="${choice.height ?? heights.min}" style="border:0" loading="lazy"></iframe>`
  const attributes = attributesOf(choice, facts).map(([name, value]) => ` ${name}="${escape(value)}"`)
  return `<script type="module" src="${escape(facts.script_url)}"></script>\n<jalon-widget${attributes.join('')}></jalon-widget>`
}
