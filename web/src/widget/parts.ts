import { withUnit } from '../i18n/typography'
import type { Context } from './context'
import { h, svg, whenNear, whenSeen } from './dom'
import { textIn, type Parcours, type Place, type Row, type Text } from './feed'

export const CARD = 'id,title,summary,practice,level,is_loop,distance_m,duration_s,ascent_m,start,media,page_url'

/** A text of a parcours, in its own language and direction; null where there is none. */
export function textElement(
  { language, words: { lang: around } }: Context,
  tag: 'p' | 'span',
  text: Text | null | undefined,
  className?: string,
): HTMLElement | null {
  const { words, lang } = textIn(text ?? null, language, around)
  return words === '' ? null : h(tag, { class: className, lang, dir: 'auto' }, words)
}

/** `13,0 km · 4 h 05 · D+ 382 m` */
export function facts({ words }: Context, row: Row): string {
  const number = (value: number, digits = 0) =>
    new Intl.NumberFormat(words.lang, { maximumFractionDigits: digits, minimumFractionDigits: digits }).format(value)
  const minutes = Math.round((row.duration_s ?? 0) / 60)
  const time =
    minutes < 60
      ? withUnit(`${minutes}`, 'min')
      : withUnit(`${Math.floor(minutes / 60)}`, withUnit('h', `${minutes % 60}`.padStart(2, '0')))
  return [
    row.distance_m === null
      ? ''
      : row.distance_m < 1000
        ? withUnit(number(row.distance_m), 'm')
        : withUnit(number(row.distance_m / 1000, 1), 'km'),
    minutes === 0 ? '' : time,
    row.ascent_m === null ? '' : withUnit(words.ascent, withUnit(number(row.ascent_m), 'm')),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Practice, level and shape of the route, in words. */
function kinds(context: Context, { practice, level, is_loop: isLoop }: Row): HTMLElement {
  const { words } = context
  const shape = isLoop === null ? '' : isLoop ? words.loop : words.oneWay
  const named = [practice, level].map((one) => textElement(context, 'span', one?.label))
  return h('p', { class: 'kinds' }, ...[...named, shape].flatMap((one) => (one ? [' · ', one] : [])).slice(1))
}

/** The title, with a link to the page of the parcours. */
export function title(context: Context, row: Row): HTMLElement {
  const text = textElement(context, 'span', row.title)
  const name =
    row.page_url === ''
      ? h('span', {}, text)
      : h('a', { href: row.page_url, target: '_blank', rel: 'noopener' }, text, h('span', { class: 'sr' }, context.words.newTab))
  whenSeen(name, context.signal, () => context.seen(row.id))
  return name
}

/** The first picture, with its credit. */
export function picture({ language, words }: Context, row: Row, large: boolean): HTMLElement | null {
  const found = row.media?.find(({ kind }) => kind === 'image')
  if (!found) return null
  const alt = textIn(found.alt, language, words.lang)
  const image = h('img', {
    src: (!large && found.thumbnail_url) || found.url,
    alt: alt.words,
    lang: alt.lang,
    loading: 'lazy',
    decoding: 'async',
  })
  const credit = [found.copyright, found.licence].filter((one) => one).join(', ')
  return h('figure', {}, image, credit && h('figcaption', {}, words.photo + credit))
}

/** The card of a parcours in a list. */
export function card(context: Context, row: Row): HTMLLIElement {
  return h(
    'li',
    { class: 'card' },
    picture(context, row, false),
    h(
      'div',
      { class: 'in' },
      h('p', { class: 'name' }, title(context, row)),
      h('p', { class: 'facts' }, facts(context, row)),
      kinds(context, row),
      textElement(context, 'p', row.summary, 'summary'),
    ),
  )
}

/** The view of one parcours. */
export function sheet(context: Context, row: Parcours): Node[] {
  const { words } = context
  const box = h('div', { class: 'map' })
  if (row.line.length > 1) mountMap(context, box, [], () => undefined, row.line as Place[])
  return [
    h(
      'article',
      {},
      picture(context, row, true),
      h(
        'div',
        { class: 'in' },
        h('h2', {}, title(context, row)),
        h('p', { class: 'facts' }, facts(context, row)),
        kinds(context, row),
        textElement(context, 'p', row.warning, 'warning'),
      ),
      // The map is before the texts: both it and the figures are visible at the usual height.
      row.line.length > 1 ? box : null,
      h(
        'div',
        { class: 'in' },
        textElement(context, 'p', row.summary),
        profile(context, row.line),
        h(
          'p',
          { class: 'doors' },
          row.page_url === ''
            ? null
            : h(
                'a',
                { class: 'button', href: row.page_url, target: '_blank', rel: 'noopener' },
                words.open,
                h('span', { class: 'sr' }, words.newTab),
              ),
          row.line.length > 1 && row.gpx_url !== ''
            ? h('a', { class: 'button plain', href: row.gpx_url, download: true }, words.gpx)
            : null,
        ),
      ),
    ),
  ]
}

/** The elevation profile; null unless every point has a height. */
function profile({ words }: Context, line: number[][]): Node | null {
  const heights = line.flatMap(([, , ele]) => (ele === undefined ? [] : [ele]))
  if (heights.length < 2 || heights.length < line.length) return null
  const [low, high] = [Math.min(...heights), Math.max(...heights)]
  let along = 0
  const distances = line.map(([lon = 0, lat = 0], at) => {
    const [lonBefore = lon, latBefore = lat] = line[at - 1] ?? []
    return (along += Math.hypot((lon - lonBefore) * Math.cos((lat * Math.PI) / 180), lat - latBefore))
  })
  const span = Math.max(high - low, 50)
  const points = heights.map(
    (ele, at) => `${(((distances[at] ?? 0) / (along || 1)) * 600).toFixed(1)} ${(78 - ((ele - low) / span) * 70).toFixed(1)}`,
  )
  const label = words.profile.replace('{a}', `${Math.round(low)} m`).replace('{b}', `${Math.round(high)} m`)
  return svg(
    'svg',
    { viewBox: '0 0 600 80', class: 'profile', role: 'img', 'aria-label': label, preserveAspectRatio: 'none' },
    svg('path', { class: 'ground', d: `M0 80L${points.join('L')}L600 80Z` }),
    svg('path', { class: 'top', d: `M${points.join('L')}` }),
  )
}

/** A marker of a map. */
export interface Point {
  id: number
  at: Place
}
interface Drawn {
  choose: (id: number, line: Place[]) => void
  remove: () => void
}

/** Adds a map; its script, far larger than the rest, is fetched when the map is about to come into view. */
export function mountMap(
  context: Context,
  box: HTMLElement,
  points: Point[],
  onPick: (id: number) => void,
  line: Place[] = [],
): { choose: Drawn['choose'] } {
  const { base, words, signal } = context
  let drawn: Drawn | null = null
  const draw = async () => {
    const from = `${base}/public-page/widget-map.js`
    const { drawWidgetMap } = await import(/* @vite-ignore */ from)
    if (signal.aborted) return
    drawn = drawWidgetMap(box, {
      style: `${base}/widget/v1/map-style?locale=${words.lang}`,
      french: words.lang === 'fr',
      label: words.map,
      noMap: words.noMap,
      points,
      line,
      onPick,
    })
    signal.addEventListener('abort', () => drawn?.remove())
  }
  whenNear(box, signal, () => {
    draw().catch(() => box.replaceChildren(h('p', { class: 'note' }, words.noMap)))
  })
  return { choose: (id, of) => drawn?.choose(id, of) }
}
