import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { meKey } from '@/api/who'
import { startTexts } from '@/i18n'
import { AppTheme } from '@/ui/theme/AppTheme'
import { me } from '../../../test/form-host'
import { ShortcutsDialog } from './dialogs/ShortcutsDialog'
import { EditorProvider } from './editor/context'
import { Editor } from './editor/store'
import { parcoursForTests, payloadForTests, servicesForTests, traceForTests } from './editor/testing'
import { ToolBar } from './panels/ToolBar'
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

function show(single_keys: boolean, help = false): Editor {
  const editor = new Editor({ parcours: parcoursForTests(), trace: traceForTests(), profile: 'hiking' }, servicesForTests())
  const cache = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  cache.setQueryData(meKey, { ...me, single_keys })
  render(
    <QueryClientProvider client={cache}>
      <AppTheme>
        <EditorProvider editor={editor}>
          <Keys />
          <ToolBar />
          {help && <ShortcutsDialog onClose={() => undefined} />}
        </EditorProvider>
      </AppTheme>
    </QueryClientProvider>,
  )
  return editor
}

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
  })
})
