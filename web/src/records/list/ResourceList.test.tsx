import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderPage } from '../../../test/form-host'
import { ResourceList, type Column, type ListResult } from './ResourceList'
import { useSelection, type SelectionStore } from './selection'
import { useListState } from './useListState'

interface Named {
  id: number
  name: string
}

/** What was rendered: `page`, `bar`, and of record 3 `row 3`, `cells 3`, `menu 3`. */
const rendered: string[] = []
const items: Named[] = Array.from({ length: 30 }, (_, at) => ({ id: at + 1, name: `Boucle ${at + 1}` }))
const result: ListResult<Named> = { data: { items, total: 140 }, error: null, isFetching: false, refetch: vi.fn() }
const config = { filterKeys: [], defaultSort: 'name' }
const columns: Column<Named>[] = [
  {
    key: 'name',
    header: 'Nom',
    render: ({ id, name }) => {
      rendered.push(`cells ${id}`)
      return name
    },
  },
]
const rowMenu = ({ id }: Named) => {
  rendered.push(`menu ${id}`)
  return null
}

function Bar({ selection }: { selection: SelectionStore }) {
  rendered.push('bar')
  return <output>{[...useSelection(selection).ids].length}</output>
}

function Page() {
  const list = useListState(config)
  rendered.push('page')
  return (
    <ResourceList
      label="Parcours"
      list={list}
      result={result}
      columns={columns}
      rowId={({ id }) => id}
      rowName={({ id, name }) => {
        rendered.push(`row ${id}`)
        return name
      }}
      rowMenu={rowMenu}
      selectable
      bulk={<Bar selection={list.selection} />}
      empty={null}
    />
  )
}

beforeEach(async () => {
  await renderPage(Page)
  await screen.findByLabelText('Sélectionner Boucle 12')
  rendered.length = 0
})

it('renders one row when it is ticked: not the page, not its cells, no other row', async () => {
  const box = screen.getByLabelText('Sélectionner Boucle 12')
  await userEvent.click(box)
  expect(box).toHaveProperty('checked', true)
  expect(box.closest('tr')?.dataset['chosen']).toBe('true')
  // The row is rendered for its highlight under the pointer too.
  expect([...new Set(rendered)].sort()).toEqual(['bar', 'row 12'])
})

it('renders no cell when all rows are ticked, and a row alone when it is unticked', async () => {
  const all = screen.getByLabelText('Sélectionner toute la page')
  await userEvent.click(all)
  expect(document.querySelectorAll('tbody tr[data-chosen] input:checked').length).toBe(30)
  await userEvent.click(screen.getByLabelText('Sélectionner Boucle 3'))
  expect(all).toHaveProperty('indeterminate', true)
  expect(within(screen.getByLabelText('Actions sur la sélection')).getByText('29')).toBeTruthy()
  expect(rendered.filter((what) => /^(cells|menu|page)/.test(what))).toEqual([])
})

it('puts the focus on the box of the page when the ticks are taken away with their bar', async () => {
  await userEvent.click(screen.getByLabelText('Sélectionner Boucle 12'))
  const focus = vi.spyOn(screen.getByLabelText('Sélectionner toute la page'), 'focus')
  await userEvent.click(screen.getByRole('button', { name: 'Désélectionner' }))
  expect(focus.mock.calls, 'it is scrolled into sight').toEqual([[]])
  expect(screen.queryByLabelText('Actions sur la sélection')).toBeNull()
  expect(document.activeElement).toBe(screen.getByLabelText('Sélectionner toute la page'))
})

it('puts it on the first row where the headings are out of sight', async () => {
  const wide = window.matchMedia
  vi.stubGlobal('matchMedia', (query: string) => Object.assign(wide(query), { matches: query.includes('max-width: 759.98px') }))
  await userEvent.click(screen.getByLabelText('Sélectionner Boucle 12'))
  await userEvent.click(screen.getByRole('button', { name: 'Désélectionner' }))
  vi.unstubAllGlobals()
  expect(document.activeElement).toBe(screen.getByLabelText('Sélectionner Boucle 1'))
})
