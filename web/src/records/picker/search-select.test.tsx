import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { PickMany, PickOne } from './RecordPicker'
import { renderPage } from '../../../test/form-host'
import { stubLayout } from '../../../test/layout'
import { aServer } from '../../../test/server'
import { SearchMany, SearchOne } from '@/ui/select/SearchSelect'

const wiring = { id: 'field', 'aria-describedby': undefined, 'aria-invalid': undefined, 'aria-required': undefined } as const
const choices = ['Calcaire', 'Granite', 'Basalte'].map((label) => ({ value: label.toLowerCase(), label }))
const none: readonly number[] = []
const sent = vi.fn()
vi.stubGlobal('CSS', { escape: (text: string) => text })

function Host({ children }: { children: React.ReactNode }) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        sent()
      }}
    >
      <label htmlFor="field">Roches</label>
      {children}
    </form>
  )
}

const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Roches' })

it('takes the first that was found with Entrée, and nothing with the next press', async () => {
  stubLayout()
  const many = vi.fn<(value: string[]) => void>()
  function Many() {
    const [value, setValue] = useState<string[]>([])
    const choose = (next: string[]) => {
      many(next)
      setValue(next)
    }
    return <SearchMany wiring={wiring} choices={choices} value={value} onChange={choose} />
  }
  const { unmount } = await renderPage(() => (
    <Host>
      <Many />
    </Host>
  ))
  await userEvent.type(field(), 'gran{Enter}')
  await waitFor(() => expect(many.mock.calls).toEqual([[['granite']]]))
  await userEvent.keyboard('{Enter}')
  expect(many).toHaveBeenCalledOnce()
  unmount()
  const one = vi.fn<(value: string | null) => void>()
  const One = () => <SearchOne wiring={wiring} choices={choices} value={null} onChange={one} />
  await renderPage(() => (
    <Host>
      <One />
    </Host>
  ))
  await userEvent.type(field(), 'bas{Enter}')
  await waitFor(() => expect(one.mock.lastCall?.[0]).toBe('basalte'))
})

/** A picker whose first list is there; the answer to a search comes when the test says so. */
async function slowPicker(onChange: (ids: number[]) => void) {
  stubLayout()
  sent.mockClear()
  const record = (id: number, fr: string) => ({ id, title: { fr } })
  const answers: (() => void)[] = []
  aServer().mockImplementation(() => Promise.resolve({ items: [record(1, 'Abri')], total: 1 }))
  const Page = () => <PickMany wiring={wiring} base="/api/v1/pois" queryKey={['poi']} value={none} onChange={onChange} />
  await renderPage(() => (
    <Host>
      <Page />
    </Host>
  ))
  await userEvent.click(field())
  await screen.findByRole('option', { name: 'Abri' })
  aServer().mockImplementation(
    () =>
      new Promise((resolve) => {
        answers.push(() => resolve({ items: [record(2, 'Lac'), record(3, 'Lac Noir')], total: 2 }))
      }),
  )
  return async () => {
    await waitFor(() => expect(answers).not.toEqual([]))
    act(() => answers.splice(0).forEach((answer) => answer()))
    await act(() => new Promise((wake) => setTimeout(wake, 50)))
  }
}

it('takes no record of earlier words with Entrée, and the first of the typed ones once they are found', async () => {
  const chosen = vi.fn<(ids: number[]) => void>()
  const answer = await slowPicker(chosen)
  await userEvent.keyboard('lac{Enter}')
  await act(() => new Promise((wake) => setTimeout(wake, 300)))
  await userEvent.keyboard('{Enter}')
  expect(chosen, 'while the server looks').not.toHaveBeenCalled()
  await answer()
  await waitFor(() => expect(chosen.mock.calls).toEqual([[[2]]]))
  expect(sent).not.toHaveBeenCalled()
})

it.each([
  ['the text is changed', '{Backspace}c'],
  ['it is closed', '{Escape}'],
  ['an arrow is pressed', '{ArrowDown}'],
])('forgets Entrée when %s before the answer', async (_, keys) => {
  const chosen = vi.fn<(ids: number[]) => void>()
  const answer = await slowPicker(chosen)
  await userEvent.keyboard(`lac{Enter}${keys}`)
  await answer()
  expect(chosen).not.toHaveBeenCalled()
  expect(sent).not.toHaveBeenCalled()
})

it('forgets Entrée when the focus leaves before the answer', async () => {
  const chosen = vi.fn<(ids: number[]) => void>()
  const answer = await slowPicker(chosen)
  await userEvent.keyboard('lac{Enter}')
  await act(() => new Promise((wake) => setTimeout(wake, 300)))
  act(() => field().blur())
  await answer()
  expect(chosen).not.toHaveBeenCalled()
})

it('says which record Entrée takes once it is found, and nothing before', async () => {
  const answer = await slowPicker(vi.fn())
  const words = () =>
    document.querySelector('[aria-live="polite"].visually-hidden:not([role])')?.textContent?.replace(/[\u00a0\u202f]/g, ' ')
  await userEvent.keyboard('lac')
  expect(words()).toBe('')
  await answer()
  await waitFor(() => expect(words()).toBe('2 dans la liste ; Entrée choisit « Lac »'))
})

it('takes nothing away with Entrée: neither from several choices nor from one', async () => {
  stubLayout()
  sent.mockClear()
  const many = vi.fn<(value: string[]) => void>()
  const granite = ['granite']
  const { unmount } = await renderPage(() => (
    <Host>
      <SearchMany wiring={wiring} choices={choices} value={granite} onChange={many} />
    </Host>
  ))
  await userEvent.type(field(), 'gran{Enter}')
  await userEvent.keyboard('{Backspace}{Backspace}{Backspace}{Backspace}zzz{Enter}')
  await userEvent.keyboard('{Backspace}{Backspace}{Backspace}c{Backspace}{Enter}')
  expect(many).not.toHaveBeenCalled()
  await userEvent.keyboard('{ArrowDown}{Enter}')
  expect(many).toHaveBeenCalledOnce()
  unmount()
  const one = vi.fn<(value: string | null) => void>()
  await renderPage(() => (
    <Host>
      <SearchOne wiring={wiring} choices={choices} value="granite" onChange={one} />
    </Host>
  ))
  await userEvent.tab()
  while (document.activeElement !== field()) await userEvent.tab()
  await act(() => new Promise((wake) => setTimeout(wake, 20)))
  await userEvent.keyboard('{Enter}')
  expect(one, 'on the list that the focus opens').not.toHaveBeenCalled()
  await userEvent.keyboard('{End}{Backspace}e{Enter}')
  expect(one, 'a name that is typed again').not.toHaveBeenCalled()
  await userEvent.clear(field())
  await userEvent.keyboard('{Enter}')
  expect(one, 'no word').not.toHaveBeenCalled()
  await userEvent.keyboard('b{Backspace}{Enter}')
  expect(one, 'a letter that is taken back').not.toHaveBeenCalled()
  await userEvent.keyboard('cal{Enter}')
  expect(one.mock.lastCall?.[0]).toBe('calcaire')
  expect(sent).not.toHaveBeenCalled()
})

it('takes no chosen record away where nothing else is found', async () => {
  stubLayout()
  const abri = { id: 1, title: { fr: 'Abri' } }
  const lac = { id: 2, title: { fr: 'Lac' } }
  vi.stubGlobal('fetch', (url: string) => {
    const query = new URL(url, 'http://jalon.test').searchParams
    const words = query.get('search') ?? ''
    const items = query.has('ids') ? [abri] : [abri, lac].filter(({ title }) => title.fr.toLowerCase().includes(words.toLowerCase()))
    return Promise.resolve(Response.json({ items, total: items.length }))
  })
  const source = { wiring, base: '/api/v1/pois', queryKey: ['poi'] } as const
  const many = vi.fn<(ids: number[]) => void>()
  const chosen = [1]
  const { unmount } = await renderPage(() => (
    <Host>
      <PickMany {...source} value={chosen} onChange={many} />
    </Host>
  ))
  await userEvent.type(field(), 'zzz')
  await screen.findByText('Rien ne correspond.')
  await userEvent.keyboard('{Enter}')
  await userEvent.clear(field())
  await userEvent.type(field(), 'abr')
  await waitFor(() => expect(screen.queryByRole('option', { name: 'Lac' })).toBeNull())
  await screen.findByRole('option', { name: 'Abri' })
  await act(() => new Promise((wake) => setTimeout(wake, 300)))
  await userEvent.keyboard('{Enter}')
  // Entrée that is remembered chooses when the list is there: later than the press.
  await act(() => new Promise((wake) => setTimeout(wake, 300)))
  expect(many).not.toHaveBeenCalled()
  unmount()
  const one = vi.fn<(id: number | null) => void>()
  await renderPage(() => (
    <Host>
      <PickOne {...source} value={1} onChange={one} />
    </Host>
  ))
  await waitFor(() => expect(field().value).toBe('Abri'))
  await userEvent.type(field(), 'zz')
  await screen.findByText('Rien ne correspond.')
  await userEvent.keyboard('{Enter}{Backspace}{Backspace}')
  await act(() => new Promise((wake) => setTimeout(wake, 300)))
  await userEvent.keyboard('{Enter}')
  await act(() => new Promise((wake) => setTimeout(wake, 300)))
  expect(one).not.toHaveBeenCalled()
})
