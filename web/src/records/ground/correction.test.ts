import { expect, it } from 'vitest'
import type { GroundEntry } from '@/api/types'
import { asHtml, hasMarks, proposedIn, type Present } from './correction'

const entry = (part: Partial<GroundEntry>): GroundEntry =>
  ({ title: '', text: '', position: null, before: { title: 'Le lac', text: 'Belle vue.', position: [3, 44.9] }, ...part }) as GroundEntry
const present: Present = { title: 'Le lac', text: 'Belle vue.', position: [3, 44.9], hasMarks: false }

it('what the ground corrects is compared with what is there, field by field', () => {
  const all = entry({ title: 'Le lac noir', text: 'Belle vue.', position: [3.001, 44.9] })
  // The text is as it was: nothing is proposed for it.
  expect(proposedIn(all, present)).toEqual([
    { field: 'title', isChanged: false },
    { field: 'position', isChanged: false },
  ])
})

it('a field that was saved meanwhile is not taken without a person', () => {
  const all = entry({ title: 'Le lac noir', text: 'Vue sur la crête.', position: [3.001, 44.9] })
  const changed = { ...present, title: 'Le grand lac', position: [3.002, 44.9] as [number, number] }
  expect(proposedIn(all, changed)).toEqual([
    { field: 'title', isChanged: true },
    { field: 'text', isChanged: false },
    { field: 'position', isChanged: true },
  ])
  // A person at the desk made the same correction.
  expect(proposedIn(all, { ...present, title: 'Le lac noir', text: 'Vue sur la crête.', position: [3.001, 44.9] })).toEqual([])
})

it('words become paragraphs, and a text with more than these is known', () => {
  expect(asHtml('Un <gué>\n\nA & B')).toBe('<p>Un &lt;gué&gt;</p><p>A &amp; B</p>')
  expect(hasMarks('<p>Un<br>deux</p>')).toBe(false)
  expect(hasMarks('<p><strong>Un</strong></p>')).toBe(true)
})
