import type { Context } from './context'
import { h } from './dom'
import { Refusal, type Row } from './feed'
import { card, CARD, facts, mountMap, sheet, textElement, type Point } from './parts'

const LIST_PAGE = 12
/** Parcours on a map: the size of a page of the feed (its largest), and the most pages. */
const MAP_PAGE = 500
const MAP_PAGES = 4
/** Names beside the map that are shown at once. */
const NAMES = 50

/** One parcours. */
async function one(context: Context): Promise<Node[]> {
  return sheet(context, await context.one())
}

/** Cards, a page at a time. */
async function list(context: Context): Promise<Node[]> {
  const { words } = context
  const first = await context.page(CARD, 1, LIST_PAGE)
  if (first.total === 0) throw new Refusal('none')
  const cards = h('ul', { class: 'cards' }, ...first.items.map((row) => card(context, row)))
  const more = h('button', { class: 'button plain', type: 'button' }, words.more)
  let number = 1
  const loadMore = async () => {
    const next = await context.page(CARD, number + 1, LIST_PAGE)
    number += 1
    const made = next.items.map((row) => card(context, row))
    cards.append(...made)
    // The focus moves to the first new card.
    made[0]?.querySelector('a')?.focus()
    if (number >= next.pages) more.remove()
  }
  more.addEventListener('click', () => {
    more.disabled = true
    // After a failure the button can be pressed again.
    loadMore()
      .catch(() => undefined)
      .finally(() => {
        more.disabled = false
      })
  })
  return [h('div', {}, cards, first.pages > 1 ? h('p', { class: 'more' }, more) : null)]
}

/** A map with the names of its parcours; the chosen one is described below. */
async function map(context: Context): Promise<Node[]> {
  const { words } = context
  const first = await context.page(CARD, 1, MAP_PAGE)
  if (first.total === 0) throw new Refusal('none')
  const rest = Array.from({ length: Math.min(first.pages, MAP_PAGES) - 1 }, (_, at) => context.page(CARD, at + 2, MAP_PAGE))
  const rows = [first, ...(await Promise.all(rest))].flatMap(({ items }) => items).filter(({ start }) => start !== null)
  const chosen = h('ul', { class: 'chosen', 'aria-live': 'polite' })
  const names = h('ul', { class: 'names' })
  const box = h('div', { class: 'map' })
  const buttons = new Map<number, HTMLButtonElement>()
  const choose = (row: Row) => {
    buttons.forEach((button, id) => button.setAttribute('aria-pressed', String(id === row.id)))
    chosen.replaceChildren(card(context, row))
    drawn.choose(row.id, [])
    void context.line(row.id).then(
      (line) => drawn.choose(row.id, line),
      () => undefined,
    )
  }
  const points: Point[] = rows.flatMap(({ id, start }) => (start === null ? [] : [{ id, at: start }]))
  const drawn = mountMap(context, box, points, (id) => rows.filter((row) => row.id === id).forEach(choose))
  const nameOf = (row: Row) => {
    const button = h(
      'button',
      { type: 'button', 'aria-pressed': 'false' },
      textElement(context, 'span', row.title, 'name'),
      h('span', { class: 'facts' }, facts(context, row)),
    )
    button.addEventListener('click', () => choose(row))
    buttons.set(row.id, button)
    return h('li', {}, button)
  }
  const more = h('button', { class: 'button plain', type: 'button' }, words.more)
  const showMore = () => {
    names.append(...rows.slice(names.childElementCount, names.childElementCount + NAMES).map(nameOf))
    if (names.childElementCount >= rows.length) more.remove()
  }
  const beside = h('div', { class: 'beside' }, names, more)
  showMore()
  more.addEventListener('click', () => {
    const before = names.childElementCount
    showMore()
    names.children[before]?.querySelector('button')?.focus()
  })
  return [h('div', { class: 'split' }, box, beside, chosen)]
}

/** The views by the value of the attribute `show`. */
export const views: Record<string, (context: Context) => Promise<Node[]>> = { parcours: one, list, map }
