import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Position, TraceInput } from '@/api/types'
import { ProblemError } from '@/api/problem'
import { meKey } from '@/api/signed-in-user'
import { startTexts } from '@/i18n'
import { AppTheme } from '@/ui/theme/AppTheme'
import { EditorProvider, useEditorState } from '../editor/context'
import { cut, press } from '../editor/actions'
import type { Services } from '../editor/services'
import { present } from '../editor/state'
import { Editor, type Opening } from '../editor/store'
import { inspectionForTests, parcoursForTests, payloadForTests, servicesForTests, traceForTests } from '../editor/testing'
import { leg, lengthM } from '../logic/revision'
import { eastward } from '../logic/testing'
import { ImportDialog } from './ImportDialog'
import { Notices } from './Notices'
import { PhoneSheet } from './PhoneSheet'
import { ReliabilityPanel } from './ReliabilityPanel'
import { Announcer } from './Announcer'
import { SaveButton } from './SaveButton'
import { me } from '../../../../test/form-host'
import { stubLayout } from '../../../../test/layout'
import { StepsPanel } from './StepsPanel'
import { ToNext } from './ToNext'
import { ToolPanel } from './ToolPanel'

beforeAll(async () => {
  payloadForTests()
  await startTexts('fr', ['common', 'errors', 'shell', 'trace'])
})

function show(panel: ReactNode, services: Partial<Services> = {}, opening: Partial<Opening> = {}): Editor {
  const editor = new Editor(
    { parcours: parcoursForTests(), trace: traceForTests(), profile: 'hiking', ...opening },
    servicesForTests(services),
  )
  const cache = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  cache.setQueryData(meKey, me)
  render(
    <QueryClientProvider client={cache}>
      <AppTheme>
        <EditorProvider editor={editor}>
          {panel}
          <Announcer />
        </EditorProvider>
      </AppTheme>
    </QueryClientProvider>,
  )
  return editor
}

/** Spaces of every width are equal here: only the words are compared. */
const plain = (element: HTMLElement): string => (element.textContent ?? '').replace(/\s+/gu, ' ').trim()
const rows = () => within(screen.getByRole('list', { name: 'Étapes dans l’ordre du parcours' })).getAllByRole('listitem')
const steps = <StepsPanel onShortcuts={() => undefined} />

describe('the list of steps', () => {
  it('names each step with its kind and kilometre', () => {
    show(steps)
    expect(rows().map(plain)).toEqual(['DLa HalleDépart0,0 km', '1Le belvédèreCoup de cœur5,0 km', 'AArrivée10,0 km'])
  })

  it('changes the order with Alt and the arrows, removes with Delete, and keeps the focus in the list', async () => {
    const user = userEvent.setup()
    const editor = show(steps)
    const favourite = screen.getByRole('button', { name: /Le belvédère/ })
    favourite.focus()
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
    expect(present(editor.get()).steps.map((one) => one.title['fr'])).toEqual(['Le belvédère', 'La Halle', undefined])
    editor.undo()
    screen.getByRole('button', { name: /Le belvédère/ }).focus()
    await user.keyboard('{Delete}')
    expect(rows()).toHaveLength(2)
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: /^D ?La Halle/ })))
    expect(plain(screen.getByRole('status'))).toBe('Étape 1 retirée, 10,0 km, fiabilité 90,0 %.')
  })

  it('adds a step at a kilometre and at coordinates, and says what is no place', async () => {
    const user = userEvent.setup()
    show(steps)
    await user.click(screen.getByRole('button', { name: /Ajouter une étape/ }))
    await user.type(screen.getByLabelText('À un point kilométrique'), '2,5')
    await user.click(screen.getByRole('button', { name: 'Ajouter au km' }))
    // Its name is asked for at once.
    expect(document.activeElement).toBe(screen.getByLabelText('Nom en français'))
    await user.keyboard('La source')
    await user.click(screen.getByRole('button', { name: 'Toutes les étapes' }))
    expect(rows().map(plain)[1]).toMatch(/La source.*2,5 km/)
    const km = screen.getByLabelText('À un point kilométrique')
    for (const wrong of ['25', 'abc']) {
      await user.clear(km)
      await user.type(km, wrong)
      expect(screen.getByText(/Le tracé va de 0 à 10,0/)).not.toBeNull()
      expect(km.getAttribute('aria-invalid')).toBe('true')
    }
    await user.type(screen.getByLabelText('À des coordonnées'), 'ici')
    await user.click(screen.getByRole('button', { name: 'Ajouter à ces coordonnées' }))
    expect(screen.getByText(/Ce ne sont pas des coordonnées/)).not.toBeNull()
    await user.clear(screen.getByLabelText('À des coordonnées'))
    await user.type(screen.getByLabelText('À des coordonnées'), '1,64 42,5')
    await user.click(screen.getByRole('button', { name: 'Ajouter à ces coordonnées' }))
    expect(screen.getByText(/avec les deux nombres inversés, il y serait/)).not.toBeNull()
    await user.clear(screen.getByLabelText('À des coordonnées'))
    await user.type(screen.getByLabelText('À des coordonnées'), '42,5 1,64')
    await user.click(screen.getByRole('button', { name: 'Ajouter à ces coordonnées' }))
    expect(rows()).toHaveLength(5)
  })

  it('asks for the name of a step that is put between two others, wherever the press was, and of none that is drawn on', async () => {
    const user = userEvent.setup()
    const editor = show(steps)
    await user.click(screen.getByRole('button', { name: /Ajouter une étape/ }))
    await user.type(screen.getByLabelText('À des coordonnées'), '42,5 1,51')
    await user.selectOptions(screen.getByLabelText('Après'), screen.getByRole('option', { name: /^D/ }))
    await user.click(screen.getByRole('button', { name: 'Ajouter à ces coordonnées' }))
    expect(document.activeElement).toBe(screen.getByLabelText('Nom en français'))
    // Escape goes back to the list, on the row of the step.
    await user.keyboard('Le gué{Escape}')
    expect(rows().map(plain)[1]).toContain('Le gué')
    act(() => {
      editor.choose('select')
      press(editor, [1.53, 42.5], 2500, false)
    })
    expect(document.activeElement).toBe(screen.getByLabelText('Nom en français'))
    await user.click(screen.getByRole('button', { name: 'Toutes les étapes' }))
    act(() => {
      editor.choose('step')
      press(editor, [1.64, 42.5], null, false)
    })
    expect(screen.queryByLabelText('Nom en français')).toBeNull()
  })

  it('edits everything of a step without the map', async () => {
    const user = userEvent.setup()
    const editor = show(steps)
    await user.dblClick(screen.getByRole('button', { name: /Le belvédère/ }))
    await user.selectOptions(screen.getByLabelText('Type'), 'nights')
    await user.type(screen.getByLabelText('Nombre de nuits'), '2')
    await user.clear(screen.getByLabelText('Nom en français'))
    await user.type(screen.getByLabelText('Nom en français'), 'Refuge')
    await user.type(screen.getByLabelText('Nom en anglais'), 'Hut')
    await user.type(screen.getByLabelText('Durée (min)'), '75')
    await user.clear(screen.getByLabelText('Kilomètre'))
    await user.type(screen.getByLabelText('Kilomètre'), '6')
    await user.click(screen.getByRole('button', { name: 'Placer au km' }))
    const [, step] = present(editor.get()).steps
    expect(step).toMatchObject({ kind: 'nights', nights: 2, title: { fr: 'Refuge', en: 'Hut' }, duration_to_next_typed_s: 4500 })
    expect(step?.at_m).toBeCloseTo(6000, 0)
    await user.click(screen.getByRole('button', { name: 'Toutes les étapes' }))
    expect(rows()).toHaveLength(3)
  })

  it('keeps the focus in the field that moves a step', async () => {
    const user = userEvent.setup()
    const editor = show(steps)
    await user.dblClick(screen.getByRole('button', { name: /Le belvédère/ }))
    const km = screen.getByLabelText('Kilomètre')
    await user.clear(km)
    await user.type(km, '6{Enter}')
    expect(present(editor.get()).steps[1]?.at_m).toBeCloseTo(6000, 0)
    expect(document.activeElement).toBe(km)
    const place = screen.getByLabelText('Latitude, longitude')
    await user.clear(place)
    await user.type(place, '42,5 1,53{Enter}')
    expect(document.activeElement).toBe(place)
  })

  it('offers nothing that changes to who may only read', () => {
    show(steps, {}, { parcours: parcoursForTests({ editable: false, locked_reason: 'not_yours' }) })
    expect(screen.queryByRole('button', { name: /Ajouter|Inverser/ })).toBeNull()
  })
})

describe('the reliability panel', () => {
  it('tells number, distance to the threshold, fraction, tolerance and gaps worst first', () => {
    show(<ReliabilityPanel />)
    expect(screen.getByText(/5,0 points sous le seuil/)).not.toBeNull()
    expect(screen.getByText(/9,00.km sur le réseau ÷ 10,00.km jugés/)).not.toBeNull()
    expect(screen.getByText(/tolérance 18.m/)).not.toBeNull()
    const gaps = screen
      .getAllByRole('button', { expanded: false })
      .concat(screen.getAllByRole('button', { expanded: true }))
      .map(plain)
    expect(gaps).toContain('AAucun chemin ici dans le réseau+ 7,0 pts')
    expect(gaps).toContain('BDécalage constant de 60 m+ 3,0 pts')
  })

  it('shows the shortest way before it takes it', async () => {
    const user = userEvent.setup()
    const editor = show(<ReliabilityPanel />)
    await user.click(screen.getByRole('button', { name: 'Voir puis corriger A' }))
    expect(present(editor.get())).toBe(editor.get().saved)
    expect(editor.get().preview).toEqual(['A'])
    await user.click(screen.getByRole('button', { name: 'Corriger A' }))
    expect(present(editor.get()).legs.map((leg) => leg.kind)).toEqual(['source', 'planned', 'source'])
  })

  it('keeps a stretch that somebody decided to keep', async () => {
    const user = userEvent.setup()
    show(<ReliabilityPanel />)
    await user.click(screen.getByRole('button', { name: 'Garder la trace' }))
    expect(await screen.findByText('gardé')).not.toBeNull()
  })

  it('tells what keeping costs, and lets it be decided again', async () => {
    const user = userEvent.setup()
    const editor = show(<ReliabilityPanel />)
    await user.click(screen.getByRole('button', { name: 'Garder la trace' }))
    await user.click(screen.getByRole('button', { name: /gardé/ }))
    expect(screen.getByText(/ne compte plus dans la fiabilité/)).not.toBeNull()
    await user.click(screen.getByRole('button', { name: 'Décider à nouveau' }))
    expect(present(editor.get()).legs.every((leg) => leg.kind === 'source')).toBe(true)
    expect(screen.queryByText('gardé')).toBeNull()
  })

  it('tells what is kept off the network apart, once the index is made without it', async () => {
    const user = userEvent.setup()
    const trace = traceForTests()
    const [first, ...others] = trace.reliability?.gaps ?? []
    const gaps = first ? [{ ...first, cause: 'kept_off_network' as const, judged: false, points: 0, fix: null }, ...others] : []
    const legs = trace.legs.map((leg) => ({ ...leg, kind: 'free' as const }))
    const editor = show(
      <ReliabilityPanel />,
      {},
      { trace: { ...trace, legs, reliability: trace.reliability && { ...trace.reliability, gaps } } },
    )
    await user.click(screen.getByText('Gardé hors du réseau'))
    await user.click(screen.getByRole('button', { name: 'Décider à nouveau' }))
    expect(present(editor.get()).legs.map((leg) => leg.kind)).toEqual(['source'])
  })

  it('lets a stretch be with a reason, and sends it with the save', async () => {
    const user = userEvent.setup()
    const sent: string[] = []
    const editor = show(<ReliabilityPanel />, {
      save: (id, version, input) => (
        sent.push(...(input.ignored_gaps ?? []).map(({ cause, reason }) => `${cause}: ${reason}`)),
        servicesForTests().save(id, version, input)
      ),
    })
    await user.click(screen.getByRole('button', { name: 'Autres actions pour le tronçon A' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Ignorer avec un motif…' }))
    await user.click(await screen.findByRole('button', { name: 'Ignorer ce tronçon' }))
    expect(await screen.findByText(/Indiquez le motif/)).not.toBeNull()
    await user.type(screen.getByRole('textbox', { name: /Motif/ }), 'Traversée du pré, balisée sur place')
    await user.click(screen.getByRole('button', { name: 'Ignorer ce tronçon' }))
    expect(await screen.findByText('ignoré')).not.toBeNull()
    expect(await screen.findByText(/1 tronçon à décider/)).not.toBeNull()
    await editor.save(false)
    expect(sent).toEqual(['no_way: Traversée du pré, balisée sur place'])
    await user.click(screen.getByRole('button', { name: /ignoré/ }))
    await user.click(screen.getByRole('button', { name: 'Décider à nouveau' }))
    await waitFor(() => expect(screen.queryByText('ignoré')).toBeNull())
  })

  it('says when it cannot be calculated, and why', () => {
    const trace = traceForTests()
    const reliability = trace.reliability && {
      ...trace.reliability,
      not_calculable: { reason: 'outside_extract' as const, share: 31 },
      outside_m: 3100,
      gaps: [],
    }
    show(<ReliabilityPanel />, {}, { trace: { ...trace, reliability } })
    expect(screen.getByText(/Non calculable.: 31.% de la trace est hors de la carte\./)).not.toBeNull()
  })

  it('says when it fails, and asks again', async () => {
    const user = userEvent.setup()
    let fails = true
    const editor = show(<ReliabilityPanel />, {
      analyse: (...args) => (fails ? Promise.reject(new ProblemError(503, { code: 'planner/busy' })) : servicesForTests().analyse(...args)),
    })
    editor.analyseAgain()
    expect(await screen.findByText('La fiabilité n’a pas pu être calculée.')).not.toBeNull()
    fails = false
    await user.click(screen.getAllByRole('button', { name: 'Recalculer' })[0] ?? document.body)
    await waitFor(() => expect(screen.queryByText('La fiabilité n’a pas pu être calculée.')).toBeNull())
  })

  it('is not applicable to a source trace', () => {
    const trace = { ...traceForTests(), mode: 'source' as const, reliability: null, reliability_state: 'source' as const }
    show(<ReliabilityPanel />, {}, { trace })
    expect(screen.getByText(/Sans objet/)).not.toBeNull()
  })
})

describe('saving', () => {
  const button = (
    <>
      <SaveButton narrow={false} />
      <Notices />
    </>
  )

  it('says over the map that a departure and an arrival are needed', async () => {
    const user = userEvent.setup()
    const editor = show(button)
    editor.act('remove', (revision) => ({ ...revision, steps: revision.steps.slice(0, 1) }))
    await user.click(await screen.findByRole('button', { name: 'Enregistrer le tracé' }))
    expect(plain(screen.getByRole('alert'))).toContain("Renseignez à minima un point de départ et d'arrivée avant de valider le tracé.")
    await user.click(screen.getByRole('button', { name: 'Fermer ce message' }))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('that failed for want of a network is not said any more once it is back', async () => {
    const editor = show(button, { save: () => Promise.reject(new ProblemError(0, { code: 'connection' })) })
    await act(() => editor.save(true))
    expect(screen.getByRole('alert')).not.toBeNull()
    act(() => void window.dispatchEvent(new Event('online')))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('has its refusal under the button on a phone, and there alone', async () => {
    const phone = (
      <>
        <SaveButton narrow />
        <PhoneSheet onShortcuts={() => undefined} size="half" onSize={() => undefined} />
      </>
    )
    const editor = show(phone, { save: () => Promise.reject(new ProblemError(0, { code: 'connection' })) })
    await act(() => editor.save(true))
    expect(screen.getByRole('alert')).not.toBeNull()
  })

  it('has the forced update in its menu', async () => {
    stubLayout()
    const user = userEvent.setup()
    const forced: boolean[] = []
    show(<SaveButton narrow={false} />, {
      save: (id, version, input) => (forced.push(input.forced === true), servicesForTests().save(id, version, input)),
    })
    await user.click(screen.getByRole('button', { name: 'Options d’enregistrement' }))
    const box = await screen.findByRole('checkbox', { name: /Forcer la mise à jour/, hidden: true }, { timeout: 5000 })
    // The focus goes in, and Tab does not leave what stays open.
    await waitFor(() => expect(document.activeElement).toBe(box))
    await user.tab()
    expect(document.activeElement).toBe(box)
    await user.click(box)
    await user.click(screen.getByRole('button', { name: 'Enregistrer le tracé', hidden: true }))
    expect(forced).toEqual([true])
    vi.restoreAllMocks()
  })
})

describe('tools', () => {
  it('cut at a kilometre, to keep either side', async () => {
    const user = userEvent.setup()
    const editor = show(<ToolPanel />)
    editor.choose('cut')
    await user.type(await screen.findByLabelText('Couper au km'), '4,3')
    await user.click(screen.getByRole('button', { name: /Garder le début/ }))
    expect(present(editor.get()).steps.at(-1)?.at_m).toBeCloseTo(4300, 0)
  })

  it('join what was cut, and the focus goes to the next joint, after the last one to the field', async () => {
    const user = userEvent.setup()
    const editor = show(<ToolPanel />)
    for (const km of [3000, 6000]) act(() => cut(editor, km, 'both'))
    act(() => editor.choose('cut'))
    const joints = () => screen.getAllByRole('button', { name: /^Joindre/ })
    joints()[0]?.focus()
    await user.keyboard('{Enter}')
    expect(joints()).toHaveLength(1)
    await waitFor(() => expect(document.activeElement).toBe(joints()[0]))
    await user.keyboard('{Enter}')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Couper au km')))
  })

  it('trim refuses two ends that are one', async () => {
    const user = userEvent.setup()
    const editor = show(<ToolPanel />)
    editor.choose('trim')
    await user.clear(await screen.findByLabelText('Au km'))
    await user.type(screen.getByLabelText('Au km'), '0')
    await user.click(screen.getByRole('button', { name: /Garder/ }))
    expect(present(editor.get())).toBe(editor.get().saved)
    expect(screen.getByText(/Les deux bornes doivent différer/)).not.toBeNull()
  })
})

describe('notices', () => {
  it('ask whether ends that are close are a loop, and close it', async () => {
    const user = userEvent.setup()
    const around = [...eastward(11), ...eastward(10, 100, [1.5, 42.501]).toReversed()]
    const trace = { ...traceForTests(), legs: [{ kind: 'source' as const, line: around }], line: around }
    const editor = show(
      <Notices />,
      {},
      { trace: { ...trace, legs: [{ kind: 'source', line: around.slice(0, -1).concat([[1.5005, 42.5003]]) }] } },
    )
    expect(screen.getByText(/est-ce une boucle/)).not.toBeNull()
    await user.click(screen.getByRole('button', { name: 'Oui, fermer la boucle' }))
    expect(present(editor.get()).legs).toHaveLength(2)
    expect(present(editor.get()).is_loop).toBe(true)
  })

  it('ask again what an undo takes back after the save, and save it as unanswered', async () => {
    const user = userEvent.setup()
    const around = [...eastward(11), ...eastward(10, 100, [1.5, 42.501]).toReversed()]
    const open = { ...traceForTests(), legs: [{ kind: 'source' as const, line: around.slice(0, -1).concat([[1.5005, 42.5003]]) }] }
    const sent: TraceInput[] = []
    const { save } = servicesForTests()
    const answered = async (id: number, version: number, input: TraceInput) => {
      sent.push(input)
      const done = await save(id, version, input)
      return { ...done, parcours: { ...done.parcours, is_loop: input.is_loop ?? null } }
    }
    const editor = show(<Notices />, { save: answered }, { parcours: parcoursForTests({ is_loop: null }), trace: open })
    await user.click(screen.getByRole('button', { name: 'Oui, fermer la boucle' }))
    expect(await editor.save(true)).toBe(true)
    expect(sent[0]?.is_loop).toBe(true)
    act(() => editor.undo())
    expect(screen.getByText(/est-ce une boucle/)).not.toBeNull()
    expect(await editor.save(true)).toBe(true)
    expect(sent[1]?.is_loop).toBeNull()
    act(() => editor.redo())
    expect(screen.queryByText(/est-ce une boucle/)).toBeNull()
  })

  it('take what is said of the ends into the trace that is saved, and ask a declared loop nothing', async () => {
    const user = userEvent.setup()
    const sent: TraceInput[] = []
    const save = servicesForTests().save
    const editor = show(
      <Notices />,
      { save: (id, version, input) => (sent.push(input), save(id, version, input)) },
      { parcours: parcoursForTests({ is_loop: true }) },
    )
    await user.click(screen.getByRole('button', { name: 'Oui, aller simple' }))
    expect(screen.queryByText(/est-ce un aller simple/)).toBeNull()
    await editor.save(false)
    expect(sent[0]?.is_loop).toBe(false)
    const around = [...eastward(11), ...eastward(10, 100, [1.5, 42.501]).toReversed()]
    show(
      <Notices />,
      {},
      {
        parcours: parcoursForTests({ is_loop: true }),
        trace: { ...traceForTests(), legs: [{ kind: 'source', line: around.slice(0, -1).concat([[1.5005, 42.5003]]) }] },
      },
    )
    expect(screen.queryByText(/est-ce une boucle/)).toBeNull()
  })

  it('offer to remove a way there and back that a correction left', async () => {
    const user = userEvent.setup()
    const editor = show(<Notices />)
    const line = eastward(101)
    const aside = [1, 2, 3, 2, 1].map((index): Position => [line[50]?.[0] ?? 0, 42.5 + index * 0.0005])
    editor.act('follow', (revision) => ({
      ...revision,
      legs: [leg('source', [...line.slice(0, 51), ...aside, ...line.slice(50)])],
      steps: revision.steps.filter((one) => one.kind !== 'favourite'),
    }))
    await user.click(await screen.findByRole('button', { name: 'Retirer l’aller-retour' }))
    expect(lengthM(present(editor.get()).legs)).toBeCloseTo(10_000, -2)
    expect(screen.queryByText(/fait demi-tour/)).toBeNull()
  })

  it('tell a refusal of the planner in the words of the specification, with a way out', async () => {
    const user = userEvent.setup()
    const editor = show(<Notices />)
    editor.set({ tool: 'step' })
    const { addAway } = await import('../editor/actions')
    addAway(editor, [1.6, 43.5], false)
    expect(await screen.findByText(/Aucun chemin à moins de 150 m\. Passez en tronçon libre\./)).not.toBeNull()
    await user.click(screen.getByRole('button', { name: 'Passer en tronçon libre' }))
    expect(present(editor.get()).legs.map((leg) => leg.kind)).toEqual(['source', 'free'])
  })

  it('say whose it is when it may only be read', () => {
    show(<Notices />, {}, { parcours: parcoursForTests({ editable: false, locked_reason: 'not_yours' }) })
    expect(screen.getByText(/appartient à Pays de Sauvelle/)).not.toBeNull()
  })
})

describe('importing a file', () => {
  const file = new File(['<gpx/>'], 'lac.gpx')
  const dialog = (one = file) => <ImportDialog file={one} onClose={() => undefined} onChoose={() => undefined} />

  it('tells what was repaired, with the line, before anything is written', async () => {
    const user = userEvent.setup()
    const editor = show(dialog(), {
      inspect: () =>
        Promise.resolve(inspectionForTests({ repairs: [{ id: 'spikes', kind: 'spikes', count: 14, line: 312, undoable: true }] })),
    })
    expect(await screen.findByText(/Points aberrants retirés.: 14 \(ligne 312\)/)).not.toBeNull()
    const before = present(editor.get())
    await user.click(screen.getByRole('button', { name: 'Importer ce tracé' }))
    await waitFor(() => expect(present(editor.get())).not.toBe(before))
    expect(editor.get().parcours.version).toBe(3)
    expect(editor.get().saved).toBe(before)
    editor.undo()
    expect(present(editor.get())).toBe(before)
  })

  it('compares both lines and asks what becomes of each step that does not fit, departure and arrival following the line', async () => {
    const user = userEvent.setup()
    const north = eastward(51).map(([lon, lat]): Position => [lon, lat + 0.02])
    const editor = show(dialog(), {
      inspect: () => Promise.resolve(inspectionForTests({ line: north, pieces: [{ points: 51, distance_m: 5000, line: north }] })),
    })
    const table = await screen.findByRole('table')
    expect(plain(within(table).getByRole('row', { name: /Longueur/ }))).toMatch(/10,0 km.*5,0 km/)
    await waitFor(() => expect(plain(within(table).getByRole('row', { name: /Fiabilité/ }))).toMatch(/90.*90/))
    await user.selectOptions(screen.getByRole('combobox', { name: /Le belvédère/ }), 'Retirer')
    await user.selectOptions(screen.getByRole('combobox', { name: /La Halle/ }), 'Garder son nom')
    await user.click(screen.getByRole('button', { name: 'Importer ce tracé' }))
    await waitFor(() => expect(present(editor.get()).steps).toHaveLength(2))
    const [departure, arrival] = present(editor.get()).steps
    expect(departure).toMatchObject({ kind: 'departure', position: north[0], title: { fr: 'La Halle' } })
    expect(arrival).toMatchObject({ kind: 'arrival', position: north.at(-1) })
  })

  it('says before it is brought in that a file lies outside the region', async () => {
    const far = eastward(11, 100, [6.5, 48])
    show(dialog(), {
      inspect: () => Promise.resolve(inspectionForTests({ line: far, pieces: [{ points: 11, distance_m: 1000, line: far }] })),
    })
    expect(await screen.findByText(/Hors de votre région/)).not.toBeNull()
  })

  it('leaves a repair undone when asked, reads the file again without it, and brings it in so', async () => {
    const user = userEvent.setup()
    const spikes = { id: 'spikes', kind: 'spikes', count: 14, line: 312, undoable: true }
    const read: string[] = []
    const editor = show(dialog(), {
      inspect: (_file, without) => {
        read.push(without.join(','))
        return Promise.resolve(inspectionForTests({ repairs: without.includes('spikes') ? [] : [spikes] }))
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Annuler cette réparation' }))
    expect(await screen.findByRole('button', { name: 'Réparer' })).not.toBeNull()
    expect(read).toEqual(['', 'spikes'])
    await user.click(screen.getByRole('button', { name: 'Importer ce tracé' }))
    await waitFor(() => expect(present(editor.get()).source?.file?.without_repairs).toEqual(['spikes']))
  })

  it('asks what to do with pieces that lie apart', async () => {
    const user = userEvent.setup()
    const line = eastward(11)
    const longer = eastward(21)
    const pieces = [
      { points: 11, distance_m: 1000, line },
      { points: 21, distance_m: 2000, line: longer },
    ]
    const editor = show(dialog(), {
      inspect: () => Promise.resolve(inspectionForTests({ pieces, gaps: [{ after_piece: 0, distance_m: 430 }] })),
    })
    const go = await screen.findByRole('button', { name: 'Importer ce tracé' })
    await user.click(go)
    expect(present(editor.get()).source?.file ?? null).toBeNull()
    await user.click(screen.getByRole('radio', { name: /Garder le plus long/ }))
    await user.click(go)
    await waitFor(() => expect(present(editor.get()).source?.file).toMatchObject({ name: 'lac.gpx', join: 'longest' }))
    expect(present(editor.get()).legs.map((leg) => leg.line)).toEqual([longer])
  })

  it('says why a file cannot be read, with its line', async () => {
    show(dialog(), { inspect: () => Promise.reject(new ProblemError(422, { code: 'trace/not-a-trace', params: { line: 12 } })) })
    expect(plain(await screen.findByText(/Ce fichier n’a pas pu être lu\./))).toContain('12')
  })

  it('refuses a file beyond the limit without sending it', async () => {
    const large = new File([''], 'grand.gpx')
    Object.defineProperty(large, 'size', { value: 40_000_000 })
    show(dialog(large), { inspect: () => Promise.reject(new Error('must not be sent')) })
    expect(plain(await screen.findByRole('alert'))).toContain('40 Mo')
  })
})

/** The distance and the duration to the step after the first one. */
function FirstToNext() {
  const step = useEditorState((state) => present(state).steps[0])
  return step === undefined ? null : <ToNext step={step} />
}

describe('the distance and the duration to the next step', () => {
  it('go back to what is computed, also where a text is no number, and the focus stays with them', async () => {
    const user = userEvent.setup()
    const editor = show(<FirstToNext />)
    const [distance, duration] = screen.getAllByRole('textbox')
    if (distance === undefined || duration === undefined) throw new Error('there are two fields')
    await user.type(distance, '4200')
    await user.type(duration, 'une heure')
    expect(duration).toHaveProperty('value', 'une heure')
    await user.click(screen.getByRole('button', { name: 'Reprendre le calcul' }))
    expect(present(editor.get()).steps[0]?.distance_to_next_typed_m).toBeNull()
    expect([distance, duration].map((field) => field.getAttribute('value'))).toEqual(['', ''])
    expect(document.activeElement).toBe(distance)
  })
})
