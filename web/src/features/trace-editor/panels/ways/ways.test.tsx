import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Instruction, Route, Position } from '@/api/types'
import { ProblemError } from '@/api/problem'
import { startTexts } from '@/i18n'
import { AppTheme } from '@/ui/theme/AppTheme'
import { CursorProvider } from '@/records/map/cursor'
import { profileName } from '@/records/parcours/planner-profile'
import { EditorProvider } from '../../editor/context'
import type { Services } from '../../editor/services'
import { present } from '../../editor/state'
import { Editor, type Opening } from '../../editor/store'
import { analysisForTests, parcoursForTests, payloadForTests, routeForTests, servicesForTests, traceForTests } from '../../editor/testing'
import { eastward } from '../../logic/testing'
import { Measures } from '../Measures'
import GuidancePanel from '../guidance/GuidancePanel'
import { ProfileChoice } from '../ProfileChoice'
import { offeredProfilesQuery } from '../../queries'
import WaysPanel from './WaysPanel'

beforeAll(async () => {
  payloadForTests()
  await startTexts('fr', ['common', 'errors', 'shell', 'trace'])
})

const line = eastward(101)
const at = (index: number): Position => line[index] ?? [0, 0]
const plain = (element: HTMLElement): string => (element.textContent ?? '').replace(/\s+/gu, ' ').trim()

function show(panel: ReactNode, services: Partial<Services> = {}, opening: Partial<Opening> = {}): Editor {
  const editor = new Editor(
    { parcours: parcoursForTests(), trace: traceForTests(), profile: 'hiking', ...opening },
    servicesForTests(services),
  )
  const cache = new QueryClient()
  cache.setQueryData(offeredProfilesQuery(editor.get().parcours.white_label.id).queryKey, ['family', 'gravel'])
  render(
    <QueryClientProvider client={cache}>
      <AppTheme>
        <CursorProvider>
          <EditorProvider editor={editor}>{panel}</EditorProvider>
        </CursorProvider>
      </AppTheme>
    </QueryClientProvider>,
  )
  return editor
}

const two: Route[] = [
  routeForTests(line.slice(0, 51)),
  routeForTests([at(0), [1.53, 42.51], at(50)], {
    surfaces: [
      { surface: 'compacted', length_m: 820 },
      { surface: 'paved', length_m: 180 },
    ],
    way_kinds: [
      { kind: 'path', length_m: 600 },
      { kind: 'ferry', length_m: 400 },
    ],
  }),
]
const rows = () => within(screen.getByRole('region')).getAllByRole('listitem')

describe('the planner', () => {
  it('is one that the owner of the parcours offers, or the one that the line has', async () => {
    show(<ProfileChoice />)
    await userEvent.click(screen.getByRole('button'))
    const offered = await screen.findAllByRole('menuitemradio')
    expect(offered.map(plain)).toEqual([profileName('hiking'), profileName('family'), profileName('gravel')])
  })
})

describe('other ways', () => {
  it('are proposed at once, with length, time, climb and ground, and taken with Enter in one step of the history', async () => {
    const user = userEvent.setup()
    const editor = show(<WaysPanel />, { alternatives: () => Promise.resolve(two) })
    editor.choose('ways')
    await waitFor(() => expect(rows()).toHaveLength(2))
    expect(plain(rows()[0] ?? document.body)).toContain('15,0 km1 h 23D+ 120 mactuel')
    expect(plain(rows()[1] ?? document.body)).toContain('de plus que le tracéstabilisé 82 %, revêtu 18 %sentier 60 %, bac 40 %')
    const second = within(rows()[1] ?? document.body).getByRole('button')
    second.focus()
    expect(editor.get().proposals?.highlighted).toBe(1)
    const past = editor.get().history.past.length
    await user.keyboard('{Enter}')
    expect(editor.get().history.past).toHaveLength(past + 1)
    expect(editor.get()).toMatchObject({ tool: 'select', proposals: null })
    expect(present(editor.get()).legs[0]?.kind).toBe('planned')
  })

  it('are asked for another stretch by the list, and by a press on the trace', async () => {
    const user = userEvent.setup()
    const called = vi.fn<Services['alternatives']>(() => Promise.resolve(two))
    const editor = show(<WaysPanel />, { alternatives: called })
    editor.choose('ways')
    const stretch = await screen.findByLabelText('Entre deux étapes')
    const options = within(stretch).getAllByRole('option').map(plain)
    expect(options[1]).toContain('1 → A · 5,0 km')
    await user.selectOptions(stretch, within(stretch).getAllByRole('option')[1] ?? [])
    await waitFor(() => expect(called.mock.lastCall?.[0].points[0]?.[0]).toBeCloseTo(at(50)[0], 6))
    editor.set({ marks: [1200] })
    await waitFor(() => expect(called.mock.lastCall?.[0].points[0]?.[0]).toBeCloseTo(at(0)[0], 6))
  })

  it('say when there is no other, and what stands in the way', async () => {
    const editor = show(<WaysPanel />, { alternatives: () => Promise.resolve(two.slice(0, 1)) })
    editor.choose('ways')
    expect(await screen.findByText('Aucun autre chemin raisonnable entre ces deux étapes.')).not.toBeNull()
    editor.set({
      history: {
        ...editor.get().history,
        present: { ...editor.get().history.present, revision: { ...present(editor.get()), mode: 'source' } },
      },
    })
    expect(await screen.findByText(/Passez en mode Calculateur/)).not.toBeNull()
  })

  it('show under a finger first, and are taken by the next touch', async () => {
    const user = userEvent.setup({ pointerEventsCheck: 0 })
    const editor = show(<WaysPanel />, { alternatives: () => Promise.resolve(two) })
    editor.choose('ways')
    await waitFor(() => expect(rows()).toHaveLength(2))
    const second = within(rows()[1] ?? document.body).getByRole('button')
    editor.set({
      proposals: {
        ...(editor.get().proposals ?? {
          request: { kind: 'ways', profile: 'hiking', from_m: 0, to_m: 1 },
          state: 'ready',
          ways: [],
          problem: null,
        }),
        highlighted: null,
      },
    })
    const touch = () => user.pointer([{ keys: '[TouchA]', target: second }])
    // A finger brings the focus along with the press: the first one only shows.
    await touch()
    expect(editor.get().proposals?.highlighted).toBe(1)
    await touch()
    expect(editor.get().proposals).toBeNull()
  })
})

describe('a loop', () => {
  it('is asked from a step with a length, proposed, and taken as the whole trace', async () => {
    const user = userEvent.setup()
    const called = vi.fn<Services['loops']>((input) => servicesForTests().loops(input, new AbortController().signal))
    const editor = show(<WaysPanel />, { loops: called })
    editor.choose('loop')
    const length = await screen.findByLabelText('Longueur')
    expect(length).toHaveProperty('value', '10')
    await user.clear(length)
    await user.type(length, '500')
    expect(screen.getAllByText(/De 0,5 à 300 km/).length).toBeGreaterThan(0)
    await user.clear(length)
    await user.type(length, '12,5')
    await user.click(screen.getByRole('button', { name: 'Chercher des boucles' }))
    expect(called.mock.lastCall?.[0]).toMatchObject({ start: at(0), profile: 'hiking', length_m: 12_500, count: 3 })
    await user.click(await screen.findByRole('button', { name: /Prendre cette boucle/ }))
    expect(present(editor.get()).steps.map((one) => one.kind)).toEqual(['departure', 'arrival'])
  })

  it('starts where the map was pressed, and tells that there is none', async () => {
    const user = userEvent.setup()
    const editor = show(
      <WaysPanel />,
      { loops: () => Promise.reject(new ProblemError(422, { code: 'planner/no-way' })) },
      { trace: null, parcours: parcoursForTests({ steps: [] }) },
    )
    editor.choose('loop')
    expect(await screen.findByText(/Cliquez sur la carte à l’endroit du départ, ou écrivez/)).not.toBeNull()
    editor.set({ pen: [[1.52, 42.51]] })
    await user.click(screen.getByRole('button', { name: 'Chercher des boucles' }))
    expect(await screen.findByText(/Aucune boucle de cette longueur/)).not.toBeNull()
  })

  it('names no click and no key under a finger', async () => {
    const wide = window.matchMedia
    vi.stubGlobal('matchMedia', (query: string) => Object.assign(wide(query), { matches: query === '(hover: none)' }))
    const editor = show(<WaysPanel />)
    editor.choose('loop')
    expect((await screen.findByText(/La boucle remplacera/)).textContent).not.toContain('Ctrl')
    editor.choose('avoid')
    expect(await screen.findByText(/^Touchez le tracé à deux endroits/)).not.toBeNull()
    vi.unstubAllGlobals()
  })
})

describe('what lies along the planned line', () => {
  it('is described by surface and kind of way, unless the planner would go elsewhere', async () => {
    const user = userEvent.setup()
    const ok = { trace: { ...traceForTests(), reliability_state: 'ok' as const } }
    show(<Measures />, { way: ({ points }) => Promise.resolve(routeForTests(points)) }, ok)
    await user.click(await screen.findByRole('button', { name: 'Sols et voies' }))
    const panel = (await screen.findByText('Revêtement')).closest<HTMLElement>('[tabindex="-1"]')
    await waitFor(() =>
      expect(plain(panel ?? document.body)).toBe('Revêtementrevêtu5,0 km · 50 %terre5,0 km · 50 %Type de voiesentier10,0 km · 100 %'),
    )
  })

  it('is not guessed', async () => {
    const user = userEvent.setup()
    show(
      <Measures />,
      { way: ({ points }) => Promise.resolve(routeForTests(points.slice(0, 9))) },
      { trace: { ...traceForTests(), reliability_state: 'ok' } },
    )
    await user.click(await screen.findByRole('button', { name: 'Sols et voies' }))
    expect(await screen.findByText(/Le calculateur ne reconnaît pas/)).not.toBeNull()
  })
})

describe('a way to avoid', () => {
  it('is described by its kilometres, has a proposed way around, and is refused where a step is on it', async () => {
    const user = userEvent.setup()
    const editor = show(<WaysPanel />, {
      way: ({ points: [from = at(0), to = at(1)] }) => Promise.resolve(routeForTests([from, [from[0], 42.51], [to[0], 42.51], to])),
    })
    editor.choose('avoid')
    await user.type(await screen.findByLabelText('Du km'), '4')
    await user.type(screen.getByLabelText('Au km'), '6')
    expect(screen.getByText(/L’étape 1 est sur ce chemin/)).not.toBeNull()
    await user.clear(screen.getByLabelText('Au km'))
    await user.type(screen.getByLabelText('Au km'), '4,5')
    await user.click(screen.getByRole('button', { name: /^Éviter ces 500/ }))
    expect(await screen.findByText('1 détour')).not.toBeNull()
    expect(editor.get().proposals?.ways[0]).toMatchObject({ from_m: 3960, to_m: 4540 })
  })

  it('has no other way around: that is said', async () => {
    const editor = show(<WaysPanel />, { way: () => Promise.reject(new ProblemError(422, { code: 'planner/no-way' })) })
    editor.choose('avoid', [1000, 2000])
    await userEvent.click(await screen.findByRole('button', { name: /^Éviter ces 1/ }))
    expect(await screen.findByText(/Aucun autre chemin ne mène/)).not.toBeNull()
  })
})

describe('the guidance', () => {
  const turn = (kind: Instruction['kind'], atM: number, lengthM: number, fr: string): Instruction => ({
    kind,
    at_m: atM,
    length_m: lengthM,
    name: null,
    fr,
    en: `${fr} (en)`,
    position: at(atM / 100),
  })
  const instructions = [
    turn('depart', 0, 1300, 'Partez vers l’est.'),
    turn('turn_right', 1300, 2700, 'Tournez à droite sur le chemin des Faux.'),
    turn('arrive', 10_000, 0, 'Vous êtes arrivé.'),
  ]
  const guided = { trace: { ...traceForTests(), reliability_state: 'ok' as const, instructions } }

  it('tells each sentence with its kilometre, goes from one to the next with the arrows, and shows the place', async () => {
    const user = userEvent.setup()
    const editor = show(<GuidancePanel />, {}, guided)
    const list = screen.getByRole('list', { name: 'Instructions dans l’ordre du parcours' })
    expect(within(list).getAllByRole('listitem').map(plain)).toEqual([
      'Partez vers l’est.pendant 1,3 km0,0 km',
      'Tournez à droite sur le chemin des Faux.pendant 2,7 km1,3 km',
      'Vous êtes arrivé.10,0 km',
    ])
    await user.tab()
    await user.tab()
    await user.keyboard('{ArrowDown}')
    expect(editor.get().turn).toBe(instructions[1])
    await user.keyboard('{End}')
    expect(editor.get().turn).toBe(instructions[2])
    await user.keyboard('{ArrowDown}{Home}')
    expect(editor.get().turn).toBe(instructions[0])
  })

  it('makes a step of a sentence in both languages, and marks the way it leads onto to be avoided', async () => {
    const user = userEvent.setup()
    const editor = show(<GuidancePanel />, {}, guided)
    await user.click(screen.getByRole('button', { name: /chemin des Faux/ }))
    await user.click(screen.getByRole('button', { name: 'Éviter ce chemin' }))
    expect(editor.get().tool).toBe('avoid')
    expect(editor.get().marks.map(Math.round)).toEqual([1300, 4000])
    editor.choose('select')
    await user.click(screen.getByRole('button', { name: 'Ajouter comme étape' }))
    expect(present(editor.get()).steps[1]).toMatchObject({
      kind: 'advice',
      title: { fr: 'Tournez à droite sur le chemin des Faux', en: 'Tournez à droite sur le chemin des Faux. (en)' },
    })
  })

  it('says why there is none', async () => {
    show(<GuidancePanel onReliability={() => undefined} />)
    expect(screen.getByText(/Sous 95/)).not.toBeNull()
    expect(screen.getByRole('button', { name: 'Voir la fiabilité' })).not.toBeNull()
  })

  it('says that a source trace has none', () => {
    const { notice: _, ...analysis } = analysisForTests(line, 'source')
    const trace = { ...traceForTests(), ...analysis, mode: 'source' as const }
    show(<GuidancePanel />, {}, { trace })
    expect(screen.getByText(/suivi tel quel, sans instructions/)).not.toBeNull()
  })
})
