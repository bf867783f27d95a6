import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { meKey } from '@/api/signed-in-user'
import { startTexts } from '@/i18n'
import { AppTheme } from '@/ui/theme/AppTheme'
import { me } from '../../../test/form-host'
import { stubLayout } from '../../../test/layout'
import { ShortcutsDialog } from './dialogs/ShortcutsDialog'
import { EditorProvider } from './editor/context'
import { Editor } from './editor/store'
import { parcoursForTests, payloadForTests, servicesForTests, traceForTests } from './editor/testing'
import { TipBar } from './panels/TipBar'
import { PhoneToolBar, ToolBar } from './panels/ToolBar'
import { ToolPanel } from './panels/ToolPanel'
import { eastward } from './logic/testing'
import { useShortcuts } from './useShortcuts'

beforeAll(async () => {
  payloadForTests()
  await startTexts('fr', ['common', 'errors', 'shell', 'trace'])
})

const called = { onHelp: vi.fn(), onPanels: vi.fn(), onSave: vi.fn() }
beforeEach(() => Object.values(called).forEach((one) => one.mockClear()))

function Keys() {
  useShortcuts(called)
  return <input aria-label="Titre" />
}

function show(single_keys: boolean, help = false, bar = <ToolBar />): Editor {
  const editor = new Editor({ parcours: parcoursForTests(), trace: traceForTests(), profile: 'hiking' }, servicesForTests())
  const cache = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  cache.setQueryData(meKey, { ...me, single_keys })
  render(
    <QueryClientProvider client={cache}>
      <AppTheme>
        <EditorProvider editor={editor}>
          <Keys />
          {bar}
          {help && <ShortcutsDialog onClose={() => undefined} />}
        </EditorProvider>
      </AppTheme>
    </QueryClientProvider>,
  )
  return editor
}

const withPanel = (
  <>
    <ToolBar />
    <TipBar />
    <ToolPanel />
  </>
)

/** Pressed outside of fields and dialogs. */
async function press(keys: string): Promise<void> {
  document.body.focus()
  await userEvent.keyboard(keys)
}

describe('keys of the editor', () => {
  it('show the whole trace, zoom in and out, and choose tools; a letter typed in a field stays a letter', async () => {
    const editor = show(true)
    for (const [key, of] of [
      ['0', 'all'],
      ['+', 'in'],
      ['-', 'out'],
    ] as const) {
      await press(key)
      expect(editor.get().view?.of).toBe(of)
    }
    await press('c')
    expect(editor.get().tool).toBe('cut')
    await userEvent.type(screen.getByLabelText('Titre'), 'av0+')
    expect(screen.getByLabelText<HTMLInputElement>('Titre').value).toBe('av0+')
    expect([editor.get().tool, editor.get().view?.of]).toEqual(['cut', 'out'])
    expect(screen.getByRole('button', { name: 'Voir tout le tracé (0)' }).getAttribute('aria-keyshortcuts')).toBe('0')
  })

  it('of a single letter do nothing once they are switched off in the account, and no screen names them', async () => {
    const editor = show(false)
    await press('c0+-?\\')
    expect([editor.get().tool, editor.get().view]).toEqual(['select', null])
    expect(called.onHelp).not.toHaveBeenCalled()
    expect(called.onPanels).not.toHaveBeenCalled()
    await press('{Control>}s{/Control}')
    expect(called.onSave).toHaveBeenCalledOnce()
    const tools = screen.getByRole('toolbar')
    expect(tools.querySelector('[aria-keyshortcuts]')).toBeNull()
    expect(screen.getByRole('button', { name: 'Voir tout le tracé' }).title).toBe('Voir tout le tracé')
    show(false, true)
    const help = await screen.findByRole('dialog')
    expect(help.textContent).toMatch(/sont désactivés dans «\sMon compte\s»/)
    expect([...help.querySelectorAll('kbd')].map((key) => key.textContent)).not.toContain('V')
    // An open dialog keeps the keyboard.
    await press('{Control>}s{/Control}')
    expect(called.onSave).toHaveBeenCalledOnce()
  })
})

describe('tools by keyboard', () => {
  it('go to the field of the tool that a key chose, and Escape there puts it down', async () => {
    const editor = show(true, false, withPanel)
    for (const [key, field] of [
      ['c', 'Couper au km'],
      ['r', 'Du km'],
      ['l', 'Du km'],
      ['k', 'Tracé source'],
    ] as const) {
      await press(key)
      await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(field)))
      act(() => {
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      })
    }
    await press('c')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Couper au km')))
    expect(screen.getByText(/la croix et Entrée, ou le kilomètre/)).not.toBeNull()
    await userEvent.keyboard('{Escape}')
    expect(editor.get().tool).toBe('select')
    await waitFor(() => expect(document.activeElement?.getAttribute('data-tool')).toBe('cut'))
  })

  it('keep the focus once the trace is cut', async () => {
    show(true, false, withPanel)
    await press('c')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Couper au km')))
    await userEvent.keyboard('4,3')
    screen.getByRole('button', { name: /Garder le début/ }).focus()
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(document.activeElement?.getAttribute('data-tool')).toBe('cut'))
  })

  it('are one stop of Tab, and arrows, Home and End go through them', async () => {
    show(true)
    const buttons = [...screen.getByRole('toolbar').querySelectorAll('button')]
    expect(buttons.filter((one) => one.tabIndex === 0)).toEqual([buttons[0]])
    buttons[0]?.focus()
    await userEvent.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(buttons[1])
    await userEvent.keyboard('{End}')
    expect(document.activeElement).toBe(buttons.at(-1))
    expect(buttons.filter((one) => one.tabIndex === 0)).toEqual([buttons.at(-1)])
    await userEvent.keyboard('{ArrowRight}')
    expect(document.activeElement).toBe(buttons[0])
    await userEvent.keyboard('{ArrowUp}{Home}')
    expect(document.activeElement).toBe(buttons[0])
  })

  it('say on a phone what to do, and the measure', () => {
    const editor = show(true, false, <TipBar narrow />)
    expect(screen.queryByRole('status')).toBeNull()
    act(() => editor.choose('measure'))
    expect(screen.getByRole('status').textContent).toContain('Cliquez pour mesurer')
    const [from, to] = eastward(2)
    act(() => editor.set({ pen: from && to ? [from, to] : [] }))
    expect(screen.getByRole('status').textContent).toMatch(/^100\sm en ligne droite$/)
  })

  it('are named on a phone by the button of the menu, which has the tool in hand', async () => {
    stubLayout()
    const editor = show(
      true,
      false,
      <>
        <PhoneToolBar />
        <ToolPanel />
      </>,
    )
    expect(screen.getByRole('button', { name: 'Autres outils' })).not.toBeNull()
    act(() => editor.choose('measure'))
    expect(screen.getByRole('button', { name: /^Autres outils\s: Mesurer$/ })).not.toBeNull()
    await userEvent.click(screen.getByRole('button', { name: /^Autres outils/ }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Couper' }))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Couper au km')))
    vi.restoreAllMocks()
  })
})
