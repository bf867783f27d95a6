// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { passFocusOn } from './row-focus'

const row = (name: string, inner = '') =>
  `<li id="${name}"><a href="/${name}">${name}</a><button aria-haspopup="menu">Menu ${name}</button>${inner}</li>`
const place = (id: string) => document.getElementById(id) ?? document.body

beforeEach(() => {
  window.history.replaceState(null, '', '/structures')
  document.body.innerHTML = `<main><h1>Structures</h1><ul id="list">${row('a', `<ul id="under">${row('a1')}</ul>`)}${row('b')}</ul></main>`
})
afterEach(() => vi.restoreAllMocks())

/** What has the focus after a row with the focus in it goes away, with what else is taken out. */
async function after(id: string, takeOut: () => void): Promise<string | null | undefined> {
  const gone = place(id)
  const leave = passFocusOn(gone)
  gone.querySelector('button')?.focus()
  leave?.()
  takeOut()
  await Promise.resolve()
  return document.activeElement === document.body ? undefined : document.activeElement?.textContent
}

it('passes the focus to the row beside, else to the row above in a tree, else to the heading', async () => {
  expect(await after('a1', () => place('a1').remove())).toBe('Menu a')
  expect(await after('a', () => place('a').remove())).toBe('Menu b')
  const focus = vi.spyOn(HTMLElement.prototype, 'focus')
  expect(await after('b', () => place('list').remove()), 'the empty state').toBe('Structures')
  expect(focus).toHaveBeenLastCalledWith({ preventScroll: true })
})

it('passes it to the row above when the last row of a branch goes away with its list', async () => {
  expect(await after('a1', () => place('under').remove())).toBe('Menu a')
})

it('leaves the focus to another page, and not to another language of the same one', async () => {
  const leave = (address: string) => () => {
    window.history.replaceState(null, '', address)
    place('list').remove()
  }
  expect(await after('b', leave('/structures/4'))).toBeUndefined()
  window.history.replaceState(null, '', '/structures')
  document.body.innerHTML = `<main><h1>Structures</h1><ul id="list">${row('b')}</ul></main>`
  expect(await after('b', leave('/en/structures'))).toBe('Structures')
})

it('passes it from a button of a bar to the button beside', async () => {
  document.body.innerHTML = '<div><button id="kept">Filtrer</button><label>Ordre</label><button id="gone">12 masqués</button></div>'
  const leave = passFocusOn(place('gone'))
  place('gone').focus()
  leave?.()
  place('gone').remove()
  await Promise.resolve()
  expect(document.activeElement).toBe(place('kept'))
})
