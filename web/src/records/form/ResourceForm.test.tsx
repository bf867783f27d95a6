import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ProblemError } from '@/api/problem'
import { meKey } from '@/api/signed-in-user'
import { FileField } from '@/records/source/FileField'
import { Dialog } from '@/ui/dialog/Dialog'
import { Toaster } from '@/ui/feedback/toast'
import { me, renderPage } from '../../../test/form-host'
import { draftKey, dropDrafts, keepDraft, offeredDrafts, readDraft, slotOf, slotsOf } from './draft'
import { NumberField, TextField, TranslatedField } from './fields'
import type { Values } from './paths'
import { ResourceForm, SaveButton } from './ResourceForm'
import { mayChangePage } from '@/ui/page-change'
import { useResourceForm } from './useResourceForm'

interface Sheet {
  id: number
  version: number
  title: { fr: string; en: string }
  level: string
  note: string
  price: number | null
}
const sheet: Sheet = { id: 12, version: 3, title: { fr: 'Lac', en: '' }, level: 'facile', note: '', price: 1200 }
const toValues = (record: Sheet | null): Values => ({
  title: record?.title ?? {},
  level: record?.level ?? '',
  note: record?.note ?? '',
  price: record?.price ?? null,
})

const save = vi.fn<(patch: Values, version: number | null) => Promise<Sheet>>()
const ancestor = vi.fn<(version: number) => Promise<Sheet>>()
const onSaved = vi.fn()

const titleOf = ({ note, level }: Values) => (note === '' ? String(level) : String(note))

const Page = () => <PageOf record={sheet} />
const NewPage = () => <PageOf record={null} />

function PageOf({ record, begun = {} }: { record: Sheet | null; begun?: Values }) {
  const form = useResourceForm<Sheet, Values>({
    kind: 'sheet',
    record,
    toValues: (of) => (of === null ? { ...toValues(null), ...begun } : toValues(of)),
    blank: toValues(null),
    titleOf,
    save,
    ancestor,
    onSaved,
  })
  return (
    <ResourceForm
      form={form}
      saveError="Erreur lors de la sauvegarde du parcours"
      fieldLabel={(path) => ({ level: 'Niveau', note: 'Note', 'title.fr': 'Titre' })[path] ?? path}
      savedBy={() => ({ name: 'Théo B.', at: '2026-11-20T14:41:00Z' })}
    >
      <TranslatedField name="title" label="Titre" />
      <TextField name="level" label="Niveau" />
      <TextField name="note" label="Note" />
      <NumberField name="price" label="Prix" scale={100} />
      <FileField label="Fichier" accept=".gpx" />
      <SaveButton form={form} />
    </ResourceForm>
  )
}

const key = draftKey(7, 'sheet', 12)
const type = async (label: RegExp, text: string) => {
  const input = screen.getByLabelText(label)
  await userEvent.clear(input)
  if (text !== '') await userEvent.type(input, text)
}
const saveButton = () => screen.getByRole('button', { name: /^Enregistrer( \d+ changements?)?$/ })

beforeEach(() => {
  localStorage.clear()
  save
    .mockReset()
    .mockImplementation((patch) =>
      Promise.resolve({ ...sheet, ...(patch as Partial<Sheet>), title: { ...sheet.title, ...(patch['title'] as object) }, version: 4 }),
    )
  ancestor.mockReset().mockResolvedValue(sheet)
  onSaved.mockReset()
})

describe('saving', () => {
  it('names its weight, sends the changed leaves over the version, and has then nothing to save', async () => {
    await renderPage(Page)
    expect(saveButton().getAttribute('aria-disabled')).toBe('true')
    await type(/^Titre fr/, 'Le lac')
    await type(/^Niveau/, 'moyen')
    expect(saveButton().textContent).toBe('Enregistrer 2 changements')
    await userEvent.keyboard('{Control>}s{/Control}')
    await waitFor(() => expect(onSaved).toHaveBeenCalledOnce())
    expect(save.mock.calls).toEqual([[{ title: { fr: 'Le lac' }, level: 'moyen' }, 3]])
    expect(saveButton().getAttribute('aria-disabled')).toBe('true')
    await type(/^Note/, 'x')
    await userEvent.click(saveButton())
    await waitFor(() => expect(save).toHaveBeenLastCalledWith({ note: 'x' }, 4))
  })

  it('waits behind a dialog that is open: Ctrl S does nothing there', async () => {
    await renderPage(() => (
      <>
        <Page />
        <Dialog opened onClose={() => undefined} title="Lien">
          <input aria-label="Adresse" />
        </Dialog>
      </>
    ))
    await screen.findByRole('dialog')
    fireEvent.change(screen.getByLabelText(/^Niveau/), { target: { value: 'moyen' } })
    await userEvent.type(screen.getByLabelText('Adresse'), 'h{Control>}s{/Control}')
    expect(save).not.toHaveBeenCalled()
    expect(document.activeElement).toBe(screen.getByLabelText('Adresse'))
  })

  it('that is asked for twice is sent once', async () => {
    await renderPage(Page)
    await type(/^Niveau/, 'moyen')
    let answer: (saved: Sheet) => void = () => undefined
    save.mockImplementation(() => new Promise((resolve) => (answer = resolve)))
    await userEvent.keyboard('{Control>}ss{/Control}')
    expect(save).toHaveBeenCalledOnce()
    await act(() => Promise.resolve(answer({ ...sheet, level: 'moyen', version: 4 })))
    expect(onSaved).toHaveBeenCalledOnce()
  })

  it('puts a refusal at its field, focuses it, and keeps what was typed', async () => {
    await renderPage(Page)
    save.mockRejectedValue(
      new ProblemError(422, {
        code: 'validation/failed',
        errors: [
          { code: 'validation/too-long', field: '/title/en', params: { max: 80 } },
          { code: 'validation/required', field: '/level' },
        ],
      }),
    )
    await type(/^Titre en/, 'The lake')
    await userEvent.click(saveButton())
    expect((await screen.findAllByRole('alert'))[0]?.textContent?.replace(/\s/g, ' ')).toBe(
      'Erreur lors de la sauvegarde du parcours : 2 champs à corriger.',
    )
    expect(screen.getByText(/80 caractères au plus/)).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Titre en/)))
    expect(screen.getByLabelText<HTMLInputElement>(/^Titre en/).value).toBe('The lake')
    await type(/^Titre en/, 'Lake')
    expect(screen.queryByText(/80 caractères au plus/)).toBeNull()
  })
})

describe('a whole number', () => {
  it('is not rounded: a fraction stays with its sentence, and is not saved', async () => {
    await renderPage(Page)
    await type(/^Prix/, '2,5')
    expect(screen.getByText(/« 2,5 » n’est pas un nombre entier/)).toBeTruthy()
    await userEvent.tab()
    expect(screen.getByLabelText<HTMLInputElement>(/^Prix/).value).toBe('2,5')
    await userEvent.click(saveButton())
    expect(save).not.toHaveBeenCalled()
    await type(/^Prix/, '2,0')
    expect(screen.queryByText(/n’est pas un nombre entier/)).toBeNull()
    await userEvent.click(saveButton())
    await waitFor(() => expect(save.mock.calls).toEqual([[{ price: 200 }, 3]]))
  })
})

describe('a refusal that is about no field', () => {
  const isFocused = () => document.activeElement?.getAttribute('role') === 'alert'

  it.each([
    ['the server failed', new ProblemError(500, { code: 'internal' })],
    ['there is no network', new ProblemError(0, { code: 'connection' })],
    ['the call failed in the browser', new TypeError('failed')],
    ['the field is not shown', new ProblemError(422, { code: 'validation/failed', errors: [{ code: 'a', field: '/absent' }] })],
  ])('comes into view with the focus: %s', async (_, problem) => {
    const shown = vi.spyOn(Element.prototype, 'scrollIntoView')
    await renderPage(Page)
    save.mockRejectedValue(problem)
    await type(/^Note/, 'x')
    await userEvent.keyboard('{Control>}s{/Control}')
    await waitFor(() => expect(isFocused()).toBe(true))
    expect(shown.mock.contexts.at(-1)).toBe(document.activeElement)
    shown.mockRestore()
  })

  it('leaves the focus to a user who goes on typing', async () => {
    const shown = vi.spyOn(Element.prototype, 'scrollIntoView')
    await renderPage(Page)
    let refuse: (problem: ProblemError) => void = () => undefined
    save.mockImplementation(() => new Promise((_, reject) => (refuse = reject)))
    await type(/^Note/, 'x')
    await userEvent.keyboard('{Control>}s{/Control}')
    await userEvent.keyboard('y')
    act(() => refuse(new ProblemError(503, { code: 'internal' })))
    await waitFor(() => expect(shown).toHaveBeenCalled())
    expect(document.activeElement).toBe(screen.getByLabelText(/^Note/))
    shown.mockRestore()
  })
})

describe('a refusal whose cause is gone', () => {
  const refused = async (problem: ProblemError) => {
    const view = await renderPage(Page)
    save.mockRejectedValue(problem)
    await type(/^Niveau/, 'moyen')
    await userEvent.click(saveButton())
    await screen.findByRole('alert')
    return view
  }

  it('goes once the person has signed in again, without another save', async () => {
    const { cache } = await refused(new ProblemError(401, { code: 'session/expired' }))
    act(() => void window.dispatchEvent(new Event('online')))
    expect(screen.queryByRole('alert')).not.toBeNull()
    act(() => void cache.setQueryData(meKey, { ...me, session_expires_at: '2099-01-02T00:00:00Z' }))
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
    expect(save).toHaveBeenCalledOnce()
    expect(screen.getByLabelText<HTMLInputElement>(/^Niveau/).value).toBe('moyen')
  })

  it('goes once the network is back', async () => {
    await refused(new ProblemError(0, { code: 'connection' }))
    act(() => void window.dispatchEvent(new Event('online')))
    expect(screen.queryByRole('alert')).toBeNull()
    expect(save).toHaveBeenCalledOnce()
  })

  it('stays where it is about what was sent', async () => {
    await refused(new ProblemError(422, { code: 'validation/failed' }))
    act(() => void window.dispatchEvent(new Event('online')))
    expect(screen.queryByRole('alert')).not.toBeNull()
  })
})

describe('what was typed at an earlier visit', () => {
  const old = (changes: Record<string, unknown>) =>
    localStorage.setItem(key, JSON.stringify({ version: 2, savedAt: '2026-11-20T14:41:00Z', changes }))
  const restore = async () => userEvent.click(await screen.findByRole('button', { name: /^Reprendre/ }))

  it('is merged with what others saved since', async () => {
    old({ note: 'à moi' })
    ancestor.mockResolvedValue({ ...sheet, version: 2, level: 'difficile' })
    await renderPage(Page)
    await restore()
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/^Note/).value).toBe('à moi'))
    expect(screen.getByLabelText<HTMLInputElement>(/^Niveau/).value).toBe('facile')
  })

  it('asks about a field that others saved since', async () => {
    old({ level: 'moyen' })
    ancestor.mockResolvedValue({ ...sheet, version: 2, level: 'difficile' })
    await renderPage(Page)
    await restore()
    expect(await screen.findByRole('dialog')).toBeTruthy()
    expect(screen.getByLabelText<HTMLInputElement>(/^Niveau/).value).toBe('facile')
  })

  it('replaces letters typed in a number, which are no longer shown', async () => {
    keepDraft(key, { version: 3, savedAt: '2026-11-20T14:41:00Z', changes: { price: 1500 } })
    await renderPage(Page)
    await type(/^Prix/, '12 euros')
    await restore()
    const price = () => screen.getByLabelText<HTMLInputElement>(/^Prix/).value
    await waitFor(() => expect(price()).toBe('15'))
    expect(screen.queryByText(/n’est pas un nombre/)).toBeNull()
    await userEvent.click(saveButton())
    await waitFor(() => expect(save.mock.calls).toEqual([[{ price: 1500 }, 3]]))
  })

  it('replaces such letters also where it is older than the sheet', async () => {
    old({ price: 1500 })
    ancestor.mockResolvedValue({ ...sheet, version: 2, level: 'difficile' })
    await renderPage(Page)
    await type(/^Prix/, '12 euros')
    await restore()
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/^Prix/).value).toBe('15'))
    expect(screen.queryByText(/n’est pas un nombre/)).toBeNull()
    await userEvent.click(saveButton())
    await waitFor(() => expect(save.mock.calls).toEqual([[{ price: 1500 }, 3]]))
  })

  it('is still offered after other words were typed and saved', async () => {
    old({ note: 'à moi' })
    await renderPage(Page)
    await type(/^Niveau/, 'moyen')
    await userEvent.click(saveButton())
    await waitFor(() => expect(onSaved).toHaveBeenCalledOnce())
    expect(readDraft(key)?.changes).toEqual({ note: 'à moi' })
  })
})

describe('one sheet in two windows', () => {
  const other = slotOf(key, 'other')

  it('a save leaves what the other window has not saved', async () => {
    await renderPage(Page)
    keepDraft(other, { version: 3, savedAt: '2026-11-20T14:41:00Z', changes: { note: 'à moi' } })
    await type(/^Niveau/, 'moyen')
    await waitFor(() => expect(slotsOf(key)).toHaveLength(2), { timeout: 2000 })
    await userEvent.click(saveButton())
    await waitFor(() => expect(onSaved).toHaveBeenCalledOnce())
    expect(slotsOf(key)).toEqual([other])
    expect(readDraft(key)?.changes).toEqual({ note: 'à moi' })
  })

  it('all as it was here leaves the other window’s draft too', async () => {
    const { router } = await renderPage(Page)
    keepDraft(other, { version: 3, savedAt: '2026-11-20T14:41:00Z', changes: { note: 'à moi' } })
    await type(/^Niveau/, 'moyen')
    await type(/^Niveau/, 'facile')
    await act(() => router.navigate({ to: '/there' as never }))
    await screen.findByText('Ailleurs')
    expect(readDraft(key)?.changes).toEqual({ note: 'à moi' })
  })

  it('what was typed is kept again on leaving, where the other window dropped it', async () => {
    const { router } = await renderPage(Page)
    await type(/^Niveau/, 'moyen')
    await waitFor(() => expect(readDraft(key)).not.toBeNull(), { timeout: 2000 })
    dropDrafts(key)
    act(() => void window.dispatchEvent(new Event('pagehide')))
    expect(readDraft(key)?.changes).toEqual({ level: 'moyen' })
    dropDrafts(key)
    await userEvent.click(screen.getByText('ailleurs'))
    await userEvent.click(await screen.findByRole('button', { name: 'Quitter sans enregistrer' }))
    await screen.findByText('Ailleurs')
    expect(router.state.location.pathname).toBe('/there')
    expect(readDraft(key)?.changes).toEqual({ level: 'moyen' })
  })

  it('a draft that is taken back moves to the window that took it, and goes with its save', async () => {
    keepDraft(other, { version: 3, savedAt: '2026-11-20T14:41:00Z', changes: { note: 'à moi' } })
    await renderPage(Page)
    await userEvent.click(await screen.findByRole('button', { name: /^Reprendre/ }))
    await waitFor(() => expect(slotsOf(key)).not.toContain(other))
    expect(readDraft(key)?.changes).toEqual({ note: 'à moi' })
    await userEvent.click(saveButton())
    await waitFor(() => expect(onSaved).toHaveBeenCalledOnce())
    expect(readDraft(key)).toBeNull()
  })
})

describe('new records that were begun and not saved', () => {
  const newKey = draftKey(7, 'sheet', 'new')
  const [first, second] = [slotOf(newKey, 'first'), slotOf(newKey, 'second')]
  const agoIso = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  const begun = () => {
    keepDraft(first, { version: null, savedAt: agoIso(2), changes: { note: 'Zoé Albertini', level: 'moyen' } })
    keepDraft(second, { version: null, savedAt: agoIso(1), changes: { note: 'Bernard' } })
  }
  const offered = () => screen.queryByText(/changements? non enregistrés? /)?.textContent
  const restore = () => userEvent.click(screen.getByRole('button', { name: 'Reprendre le brouillon' }))
  const note = () => screen.getByLabelText<HTMLInputElement>(/^Note/).value
  const level = () => screen.getByLabelText<HTMLInputElement>(/^Niveau/).value

  it('are offered one after the other by name; one that is taken is not mixed with another', async () => {
    begun()
    await renderPage(NewPage)
    expect(offered()).toContain('Bernard')
    await restore()
    expect([note(), level()]).toEqual(['Bernard', ''])
    expect(slotsOf(newKey)).toContain(first)
    expect(slotsOf(newKey)).not.toContain(second)
    expect(offered()).toContain('Zoé Albertini')
    // The record that was shown is another one: it is offered in turn.
    await restore()
    expect([note(), level()]).toEqual(['Zoé Albertini', 'moyen'])
    expect(offered()).toContain('Bernard')
    await userEvent.click(saveButton())
    await waitFor(() => expect(onSaved).toHaveBeenCalledOnce())
    expect(save.mock.calls).toEqual([[{ note: 'Zoé Albertini', level: 'moyen' }, null]])
    expect(offeredDrafts(newKey).map(({ draft }) => draft.changes)).toEqual([{ note: 'Bernard' }])
  })

  it('stay apart from what is typed before one is taken back', async () => {
    keepDraft(first, { version: null, savedAt: agoIso(2), changes: { level: 'moyen' } })
    await renderPage(NewPage)
    await type(/^Note/, 'Bernard')
    await restore()
    expect([note(), level()]).toEqual(['', 'moyen'])
    expect(offered()).toContain('Bernard')
  })

  it('take the file that was chosen before anything was typed, not the file of what is put aside', async () => {
    begun()
    await renderPage(NewPage)
    await userEvent.upload(screen.getByLabelText(/^Fichier/), new File(['x'], 'tour.gpx'))
    await restore()
    expect(note()).toBe('Bernard')
    expect(screen.getByText('tour.gpx')).toBeTruthy()
    await restore()
    expect(note()).toBe('Zoé Albertini')
    expect(screen.queryByText('tour.gpx')).toBeNull()
  })

  it('are not taken where the device has no room for what is typed, and a message says so', async () => {
    begun()
    await renderPage(() => (
      <>
        <NewPage />
        <Toaster />
      </>
    ))
    await type(/^Niveau/, 'facile')
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    await restore()
    full.mockRestore()
    expect(await screen.findByText(/^Le brouillon n’est pas repris/)).toBeTruthy()
    expect([note(), level()]).toEqual(['', 'facile'])
    expect(offered()).toContain('Bernard')
  })

  it('keep the values that their address filled in, and take none of another address', async () => {
    const title = () => screen.getByLabelText<HTMLInputElement>(/^Titre fr/).value
    const first = await renderPage(() => <PageOf record={null} begun={{ title: { fr: 'Pont' }, price: 500 }} />)
    await type(/^Note/, 'Bernard')
    first.unmount()
    expect(offeredDrafts(newKey).map(({ draft }) => draft.changes)).toEqual([{ 'title.fr': 'Pont', price: 500, note: 'Bernard' }])
    await renderPage(() => <PageOf record={null} begun={{ title: { fr: 'Gué', en: 'Ford' }, level: 'moyen' }} />)
    expect([title(), level()]).toEqual(['Gué', 'moyen'])
    await restore()
    expect([title(), level(), note()]).toEqual(['Pont', '', 'Bernard'])
    await userEvent.click(saveButton())
    await waitFor(() => expect(onSaved).toHaveBeenCalledOnce())
    expect(save.mock.calls[0]?.[0]).toEqual({ title: { fr: 'Pont', en: null }, price: 500, note: 'Bernard', level: '' })
  })

  it('show none of the letters that were typed in a number before one is taken', async () => {
    begun()
    await renderPage(NewPage)
    await type(/^Prix/, 'gratuit')
    await restore()
    expect(screen.getByLabelText<HTMLInputElement>(/^Prix/).value).toBe('')
    expect(screen.queryByText(/n’est pas un nombre/)).toBeNull()
  })

  it('are none while only their address has filled something in', async () => {
    const { unmount } = await renderPage(() => <PageOf record={null} begun={{ level: 'moyen' }} />)
    act(() => void window.dispatchEvent(new Event('pagehide')))
    unmount()
    expect(slotsOf(newKey)).toEqual([])
  })

  it('are deleted one at a time; the focus goes to the title with the last', async () => {
    begun()
    await renderPage(() => (
      <>
        <h1>Nouvelle fiche</h1>
        <NewPage />
      </>
    ))
    const drop = screen.getByRole('button', { name: 'Supprimer le brouillon' })
    await userEvent.click(drop)
    expect(slotsOf(newKey)).toEqual([first])
    expect(offered()).toContain('Zoé Albertini')
    expect(document.activeElement).toBe(drop)
    await userEvent.click(screen.getByRole('button', { name: 'Supprimer le brouillon' }))
    expect(slotsOf(newKey)).toEqual([])
    expect(offered()).toBeUndefined()
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Nouvelle fiche'))
  })
})

describe('two people on one sheet', () => {
  const stale = (current: Sheet) => new ProblemError(412, { code: 'version/stale', current })

  it('does not save a number that cannot be read as the number before it', async () => {
    await renderPage(Page)
    await type(/^Prix/, '15 euros')
    await type(/^Note/, 'Gué')
    await userEvent.click(saveButton())
    expect(save).not.toHaveBeenCalled()
    const price = screen.getByLabelText<HTMLInputElement>(/^Prix/)
    await waitFor(() => expect(document.activeElement).toBe(price))
    expect(price.value).toBe('15 euros')
    expect(screen.getByText(/« 15 euros » n’est pas un nombre/)).not.toBeNull()
    await type(/^Prix/, '15')
    await userEvent.click(saveButton())
    expect(save).toHaveBeenLastCalledWith({ note: 'Gué', price: 1500 }, 3)
  })

  it('merges without a question what does not clash', async () => {
    await renderPage(Page)
    save.mockRejectedValueOnce(stale({ ...sheet, version: 5, note: 'leur note' }))
    await type(/^Niveau/, 'moyen')
    await userEvent.click(saveButton())
    await waitFor(() => expect(onSaved).toHaveBeenCalledWith(expect.anything(), true))
    expect(save.mock.calls).toEqual([
      [{ level: 'moyen' }, 3],
      [{ level: 'moyen' }, 5],
    ])
    expect(ancestor).toHaveBeenCalledWith(3)
  })

  it('asks about each field that clashes, and saves the choice over the newer version', async () => {
    await renderPage(Page)
    save
      .mockRejectedValueOnce(stale({ ...sheet, version: 5, level: 'difficile', note: 'leur note' }))
      .mockResolvedValueOnce({ ...sheet, version: 6, level: 'moyen', note: 'leur note' })
    await type(/^Niveau/, 'moyen')
    await userEvent.click(saveButton())
    const dialog = await screen.findByRole('dialog')
    expect(dialog.textContent).toContain('Théo B. a enregistré cette fiche')
    expect(dialog.textContent?.replace(/\s/g, ' ')).toContain('1 autre champ de sa part est compatible. Il reste 1 choix.')
    const group = screen.getByRole('group', { name: 'Niveau' })
    for (const value of ['facile', 'difficile', 'moyen']) expect(group.textContent).toContain(value)
    const confirm = screen.getByRole('button', { name: 'Enregistrer ma sélection' })
    expect(confirm.getAttribute('aria-disabled')).toBe('true')
    await userEvent.click(screen.getByRole('radio', { name: 'Vous' }))
    await userEvent.click(confirm)
    await waitFor(() => expect(onSaved).toHaveBeenCalled())
    expect(save.mock.calls[1]).toEqual([{ level: 'moyen' }, 5])
    expect(screen.getByLabelText<HTMLInputElement>(/^Note/).value).toBe('leur note')
  })

  it('sends nothing when all of theirs is kept, and closing keeps the draft', async () => {
    await renderPage(Page)
    save
      .mockRejectedValueOnce(stale({ ...sheet, version: 5, level: 'difficile' }))
      .mockRejectedValueOnce(stale({ ...sheet, version: 5, level: 'difficile' }))
    await type(/^Niveau/, 'moyen')
    await userEvent.click(saveButton())
    const dialog = await screen.findByRole('dialog')
    expect(dialog.textContent).toContain('Il reste 1')
    expect(dialog.textContent).not.toContain('compatible')
    await userEvent.click(await screen.findByRole('button', { name: 'Garder mon brouillon' }))
    expect(screen.getByLabelText<HTMLInputElement>(/^Niveau/).value).toBe('moyen')
    await userEvent.click(saveButton())
    await userEvent.click(await screen.findByRole('radio', { name: 'Théo B.' }))
    await userEvent.click(screen.getByRole('button', { name: 'Enregistrer ma sélection' }))
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/^Niveau/).value).toBe('difficile'))
    expect(save).toHaveBeenCalledTimes(2)
  })
})

describe('every way out', () => {
  it('asks before a link leaves unsaved changes, and stays', async () => {
    const { router } = await renderPage(Page)
    await type(/^Niveau/, 'moyen')
    await userEvent.click(screen.getByText('ailleurs'))
    expect((await screen.findByRole('dialog')).textContent).toContain('1 changement n’est pas enregistré')
    await userEvent.click(screen.getByRole('button', { name: 'Rester sur la fiche' }))
    expect(router.state.location.pathname).toBe('/here')
    expect(screen.getByLabelText<HTMLInputElement>(/^Niveau/).value).toBe('moyen')
  })

  it('leaves on request, with the draft kept and offered at the next visit', async () => {
    const { router } = await renderPage(Page)
    await type(/^Niveau/, 'moyen')
    await userEvent.click(screen.getByText('ailleurs'))
    await userEvent.click(await screen.findByRole('button', { name: 'Quitter sans enregistrer' }))
    await screen.findByText('Ailleurs')
    expect(readDraft(key)?.changes).toEqual({ level: 'moyen' })
    await act(() => router.navigate({ to: '/here' as never }))
    await userEvent.click(await screen.findByRole('button', { name: 'Reprendre le brouillon' }))
    expect(screen.getByLabelText<HTMLInputElement>(/^Niveau/).value).toBe('moyen')
  })

  it('saves and leaves in one press; a refused save stays', async () => {
    const { router } = await renderPage(Page)
    await type(/^Niveau/, 'moyen')
    save.mockRejectedValueOnce(new ProblemError(500, { code: 'internal' }))
    await userEvent.click(screen.getByText('ailleurs'))
    await userEvent.click(await screen.findByRole('button', { name: 'Enregistrer et quitter' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(router.state.location.pathname).toBe('/here')
    await userEvent.click(screen.getByText('ailleurs'))
    await userEvent.click(await screen.findByRole('button', { name: 'Enregistrer et quitter' }))
    await screen.findByText('Ailleurs')
    expect(save).toHaveBeenCalledTimes(2)
  })

  it('asks before another language too, where what is typed stays in the page', async () => {
    await renderPage(Page)
    expect(await mayChangePage()).toBe(true)
    await type(/^Niveau/, 'moyen')
    let answer = mayChangePage()
    expect((await screen.findByRole('dialog')).textContent).toContain('1 changement n’est pas enregistré')
    await userEvent.click(screen.getByRole('button', { name: 'Garder cette langue' }))
    expect(await answer).toBe(false)
    answer = mayChangePage()
    await userEvent.click(await screen.findByRole('button', { name: 'Changer sans enregistrer' }))
    expect(await answer).toBe(true)
    expect(screen.getByLabelText<HTMLInputElement>(/^Niveau/).value).toBe('moyen')
    answer = mayChangePage()
    await userEvent.click(await screen.findByRole('button', { name: 'Enregistrer et changer' }))
    expect(await answer).toBe(true)
    expect(save).toHaveBeenCalledOnce()
  })

  it('holds the closing of the browser only while something is unsaved, and lets tabs of the sheet change', async () => {
    const { router } = await renderPage(Page)
    const closes = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    expect(closes()).toBe(false)
    await type(/^Niveau/, 'moyen')
    expect(closes()).toBe(true)
    await userEvent.click(screen.getByText('autre onglet'))
    await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'sales' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('keeps a draft one second after the last letter, and none when all is as it was', async () => {
    await renderPage(Page)
    await type(/^Niveau/, 'moyen')
    expect(readDraft(key)).toBeNull()
    await waitFor(() => expect(readDraft(key)?.changes).toEqual({ level: 'moyen' }), { timeout: 2000 })
    await type(/^Niveau/, 'facile')
    await waitFor(() => expect(readDraft(key)).toBeNull(), { timeout: 2000 })
  })
})
