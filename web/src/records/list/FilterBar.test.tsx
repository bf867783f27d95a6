import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { Link } from '@tanstack/react-router'
import { renderPage } from '../../../test/form-host'
import { stubLayout } from '../../../test/layout'
import { Chip, FilterBar } from './FilterBar'
import type { ListConfig } from './list-state'
import { useListState } from './useListState'

const config: ListConfig = { filterKeys: ['town', 'length'], defaultSort: 'title' }

function Page() {
  const list = useListState(config)
  return (
    <>
      <FilterBar
        list={list}
        searchLabel="Rechercher un parcours"
        filters={[
          { key: 'town', label: 'Commune', kind: 'words' },
          { key: 'length', label: 'Longueur', kind: 'range', of: 'number' },
        ]}
      />
      <button type="button" onClick={list.clear}>
        Tout effacer
      </button>
      <Link to={'/here' as never} search={{ search: 'gravel', sort: 'title' } as never}>
        Ma vue
      </Link>
    </>
  )
}

const field = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Rechercher un parcours' })
const slowly = userEvent.setup({ delay: 400 })
const pause = () => new Promise((wake) => setTimeout(wake, 320))

describe('a search field', () => {
  it('keeps the focus and every letter of somebody who types slowly, and finds by the whole word', async () => {
    const { router } = await renderPage(Page)
    const first = field()
    await userEvent.click(first)
    await slowly.keyboard('forêt')
    expect(document.activeElement).toBe(first)
    expect(first.isConnected).toBe(true)
    expect(first.value).toBe('forêt')
    await waitFor(() => expect(router.state.location.search).toMatchObject({ search: 'forêt' }))
    await slowly.keyboard('{Backspace>5/}')
    await waitFor(() => expect(router.state.location.search).not.toHaveProperty('search', expect.stringMatching(/./)))
    expect(document.activeElement).toBe(first)
  })

  it('takes what is pasted, and sends it at once on Enter', async () => {
    const { router } = await renderPage(Page)
    await userEvent.click(field())
    await userEvent.paste('tour du lac')
    await userEvent.keyboard('{Enter}')
    expect(field().value).toBe('tour du lac')
    await waitFor(() => expect(router.state.location.search).toMatchObject({ search: 'tour du lac' }), { timeout: 200 })
  })

  it('does not send a letter that is still being composed', async () => {
    const { router } = await renderPage(Page)
    const input = field()
    fireEvent.compositionStart(input)
    fireEvent.change(input, { target: { value: '^' } })
    await pause()
    expect(router.state.location.search).toEqual({})
    fireEvent.change(input, { target: { value: 'ê' } })
    fireEvent.compositionEnd(input)
    await waitFor(() => expect(router.state.location.search).toMatchObject({ search: 'ê' }))
    expect(input.value).toBe('ê')
  })

  it('is set by a view and by cleared filters, typed or not', async () => {
    await renderPage(Page, '/here?search=lac')
    expect(field().value).toBe('lac')
    await userEvent.click(screen.getByText('Ma vue'))
    await waitFor(() => expect(field().value).toBe('gravel'))
    await userEvent.type(field(), ' long')
    await pause()
    await userEvent.click(screen.getByText('Tout effacer'))
    await waitFor(() => expect(field().value).toBe(''))
  })
})

describe('filters that are typed', () => {
  it('are emptied with the others while they are in sight', async () => {
    const { router } = await renderPage(Page, '/here?town=Orsel&length=2..5')
    await userEvent.click(screen.getByRole('button', { name: 'Filtrer' }))
    const town = await screen.findByLabelText<HTMLInputElement>('Commune')
    const [from, to] = screen.getAllByLabelText<HTMLInputElement>(/^Longueur, /)
    expect([town.value, from?.value, to?.value]).toEqual(['Orsel', '2', '5'])
    await userEvent.click(screen.getByText('Retirer tous les filtres'))
    await waitFor(() => expect([town.value, from?.value, to?.value]).toEqual(['', '', '']))
    expect(router.state.location.search).toEqual({})
  })

  it('are sent when the menu is closed before the pause has passed', async () => {
    const { router } = await renderPage(Page)
    await userEvent.click(screen.getByRole('button', { name: 'Filtrer' }))
    await userEvent.type(await screen.findByLabelText('Commune'), 'Orsel{Escape}')
    await waitFor(() => expect(router.state.location.search).toMatchObject({ town: 'Orsel' }), { timeout: 300 })
  })
})

describe('a chip that goes away when it is pressed', () => {
  it('passes the focus to the button beside: that of a filter', async () => {
    await renderPage(Page, '/here?town=Die&length=1..2')
    screen.getByRole('button', { name: /^Retirer .*Commune/ }).focus()
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Retirer .*Longueur/ })))
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Filtrer' })))
  })

  it('goes alone while Enter is held down', async () => {
    await renderPage(Page, '/here?town=Die&length=1..2')
    const press = (repeat: boolean) =>
      fireEvent.keyDown(screen.getByRole('button', { name: /^Retirer .*Longueur/ }), { key: 'Enter', repeat })
    // A key that is prevented presses nothing.
    expect([press(false), press(true)]).toEqual([true, false])
  })

  it('passes it too when it is a chip of the page', async () => {
    function Hiding() {
      const list = useListState(config)
      const [hidden, setHidden] = useState(12)
      return (
        <FilterBar list={list} filters={[{ key: 'town', label: 'Commune', kind: 'words' }]} searchLabel="Rechercher">
          {hidden > 0 && <Chip onClick={() => setHidden(0)}>{hidden} masqués</Chip>}
        </FilterBar>
      )
    }
    await renderPage(Hiding)
    screen.getByRole('button', { name: '12 masqués' }).focus()
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Filtrer' })))
  })
})

describe('the window of the filters, which is fetched after the page', () => {
  it('takes the focus, keeps it within, and gives it back to its button', async () => {
    stubLayout()
    await renderPage(Page)
    const button = screen.getByRole('button', { name: 'Filtrer' })
    button.focus()
    await userEvent.keyboard('{Enter}')
    const town = await screen.findByLabelText('Commune')
    await waitFor(() => expect(document.activeElement).toBe(town))
    for (let step = 0; step < 6; step++) await userEvent.tab()
    expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true)
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(button))
  })

  it('has the chip of a record before its name is there', async () => {
    let answer = () => {}
    const named = new Promise<void>((done) => {
      answer = done
    })
    vi.stubGlobal('fetch', async () => {
      await named
      return Response.json({ items: [{ id: 3, title: { fr: 'Lac' } }], total: 1 })
    })
    function ByRecord() {
      const list = useListState({ filterKeys: ['poi'], defaultSort: 'title' })
      return (
        <FilterBar
          list={list}
          filters={[{ key: 'poi', label: 'Point', kind: 'record', base: '/api/v1/pois', queryKey: ['poi'] }]}
          searchLabel="Rechercher"
        />
      )
    }
    await renderPage(ByRecord, '/here?poi=3')
    expect(screen.getByRole('button', { name: /^Retirer .*Point/ })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Lac/ })).toBeNull()
    answer()
    expect(await screen.findByRole('button', { name: /^Retirer .*Point.*Lac/ })).toBeTruthy()
    vi.unstubAllGlobals()
  })
})
