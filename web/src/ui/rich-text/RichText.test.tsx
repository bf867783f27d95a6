import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { useEffect, useState } from 'react'
import { expect, it, vi } from 'vitest'
import { renderPage } from '../../../test/form-host'
import { RichText } from './RichText'

// The editor comes when the test says so, as over a slow line.
const { gate, arrive } = vi.hoisted(() => {
  let open = () => {}
  return {
    gate: new Promise<void>((done) => {
      open = done
    }),
    arrive: () => open(),
  }
})
vi.mock('./RichEditor', async (original) => {
  await gate
  return original()
})

const wiring = { id: 'words', 'aria-describedby': undefined, 'aria-invalid': undefined, 'aria-required': undefined } as const
const kept = vi.fn<(html: string) => void>()

function Page({ first = '<p>Au bord du lac</p>' }: { first?: string }) {
  const [value, setValue] = useState(first)
  useEffect(() => kept(value), [value])
  return <RichText wiring={wiring} label="Descriptif" value={value} onChange={setValue} />
}

const text = () => screen.getByRole('textbox', { name: 'Descriptif' })

/** The effect of a browser's editing on a text, with the caret after it. */
function written(html: string) {
  const place = text()
  place.innerHTML = html
  const range = document.createRange()
  range.selectNodeContents(place.lastElementChild ?? place)
  range.collapse(false)
  window.getSelection()?.removeAllRanges()
  window.getSelection()?.addRange(range)
  fireEvent.input(place)
}

it('keeps what is typed, pasted and parted by Enter before its editor is there, and goes on after it', async () => {
  await renderPage(Page)
  act(() => text().focus())
  fireEvent.compositionStart(text())
  written('<p>Au bord du lac, la forê</p>')
  // An accent is half typed: the text is not taken away from under it.
  arrive()
  await act(() => new Promise((wake) => setTimeout(wake, 50)))
  expect(text().classList.contains('ProseMirror')).toBe(false)
  written('<p>Au bord du lac, la forêt</p><p>Prévoir 3 €</p>')
  fireEvent.compositionEnd(text())
  await waitFor(() => expect(text().classList.contains('ProseMirror')).toBe(true))
  expect(kept).toHaveBeenLastCalledWith('<p>Au bord du lac, la forêt</p><p>Prévoir 3 €</p>')
  expect(text().innerHTML).toContain('<p>Prévoir 3 €</p>')
  expect(document.activeElement).toBe(text())
  expect(window.getSelection()?.anchorNode?.textContent).toBe('Prévoir 3 €')
  expect(window.getSelection()?.anchorOffset).toBe('Prévoir 3 €'.length)
})

it('keeps in the form what is typed, whether its editor comes or not', async () => {
  await renderPage(() => <Page first="" />)
  written('Un belvédère')
  expect(kept).toHaveBeenLastCalledWith('Un belvédère')
  expect(text().innerHTML).toBe('Un belvédère')
  written('<br>')
  expect(kept).toHaveBeenLastCalledWith('')
})

it('writes in bold what is typed after « Gras » was pressed, though its editor comes in between', async () => {
  document.execCommand = vi.fn<typeof document.execCommand>(() => true)
  arrive()
  await renderPage(() => <Page first="" />)
  const bold = () => screen.getByRole('button', { name: 'Gras' })
  fireEvent.click(bold())
  await waitFor(() => expect(text().classList.contains('ProseMirror')).toBe(true))
  await waitFor(() => expect(bold().getAttribute('aria-pressed')).toBe('true'))
})

it('gives what is pasted from Word the shapes that the editor has', async () => {
  // jsdom lays nothing out, and the editor scrolls to what was pasted.
  Range.prototype.getClientRects = vi.fn<typeof Range.prototype.getClientRects>(() => document.body.getClientRects())
  Range.prototype.getBoundingClientRect = vi.fn<typeof Range.prototype.getBoundingClientRect>(() => new DOMRect())
  arrive()
  await renderPage(() => <Page first="" />)
  act(() => text().focus())
  await waitFor(() => expect(text().classList.contains('ProseMirror')).toBe(true))
  const html = `<h1>Venir</h1><p style="mso-list:l0 level1 lfo1"><span style="mso-list:Ignore">1.&nbsp;</span>Train</p><table><tr><td>Lundi</td><td>9 h</td></tr></table>`
  fireEvent.paste(text(), {
    clipboardData: { types: ['text/html'], files: [], items: [], getData: (type: string) => (type === 'text/html' ? html : '') },
  })
  await waitFor(() => expect(kept).toHaveBeenLastCalledWith('<h3>Venir</h3><ol><li><p>Train</p></li></ol><p>Lundi – 9 h</p>'))
})
