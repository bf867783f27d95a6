// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest'
import { focusFirstFault } from './focus'

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
const focused = () => document.activeElement?.id

beforeEach(() => {
  document.body.innerHTML = '<button id="save">Enregistrer</button><input id="other"><div id="tab"></div>'
  document.getElementById('save')?.focus()
})
const show = () => {
  const tab = document.getElementById('tab')
  if (tab) tab.innerHTML = '<div data-field="logo"><input id="file" type="file" hidden><button id="choose">Choisir</button></div>'
}

it('waits for the tab of the fault, and leaves out an input that is hidden', async () => {
  focusFirstFault(['logo'], () => undefined)
  await frame()
  show()
  await vi.waitFor(() => expect(focused()).toBe('choose'))
})

it('stops waiting when the user types in another input meanwhile', async () => {
  focusFirstFault(['logo'], () => undefined)
  await frame()
  document.getElementById('other')?.focus()
  await frame()
  show()
  await frame()
  await frame()
  expect(focused()).toBe('other')
})
