import { act, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { startTexts } from '@/i18n'
import { EditorProvider } from '../editor/context'
import { isDirty, present } from '../editor/state'
import { Editor } from '../editor/store'
import { parcoursForTests, payloadForTests, servicesForTests, traceForTests } from '../editor/testing'
import { StepMarkers } from './StepMarkers'
import type { GhostHandle } from './useGhost'

/** A map that has only a scale. */
const map = vi.hoisted(() => {
  const listeners = new Set<() => void>()
  const scale = { pxPerDegree: 0 }
  return {
    zoomTo: (pxPerDegree: number) => {
      scale.pxPerDegree = pxPerDegree
      listeners.forEach((listener) => listener())
    },
    project: ([lon, lat]: [number, number]) => ({ x: lon * scale.pxPerDegree, y: -lat * scale.pxPerDegree }),
    on: (_: string, listener: () => void) => listeners.add(listener),
    off: (_: string, listener: () => void) => listeners.delete(listener),
    getMap: () => ({ getZoom: () => 14 }),
  }
})
vi.mock('@vis.gl/react-maplibre', () => ({
  useMap: () => ({ current: map }),
  Marker: ({ offset, children }: { offset: [number, number]; children: ReactNode }) => <div data-offset={offset.join()}>{children}</div>,
}))

beforeAll(async () => {
  payloadForTests()
  await startTexts('fr', ['common', 'errors', 'shell', 'trace'])
})

/** Each disc with how far it is drawn from its place. */
const discs = () =>
  screen.getAllByRole('button').map((disc) => [disc.textContent, disc.closest<HTMLElement>('[data-offset]')?.dataset['offset']])

it('draws the arrival of a loop beside the departure, and where it is once both have room', () => {
  map.zoomTo(100)
  const editor = new Editor({ parcours: parcoursForTests(), trace: traceForTests(), profile: 'hiking' }, servicesForTests())
  render(
    <EditorProvider editor={editor}>
      <StepMarkers ghost={{} as GhostHandle} />
    </EditorProvider>,
  )
  expect(discs()).toEqual([
    ['D', '0,0'],
    ['1', '0,0'],
    ['A', '34,0'],
  ])
  // The map turned round: the arrival is left of the departure.
  act(() => map.zoomTo(-100))
  expect(discs().map(([, offset]) => offset)).toEqual(['0,0', '0,0', '-34,0'])
  act(() => map.zoomTo(10_000))
  expect(discs().map(([, offset]) => offset)).toEqual(['0,0', '0,0', '0,0'])
})

afterEach(() => void vi.useRealTimers())

it.each([
  ['two seconds after the last arrow', () => act(() => void vi.advanceTimersByTime(2_000))],
  ['by the key that saves', (disc: HTMLElement) => void fireEvent.keyDown(disc, { key: 's', ctrlKey: true })],
])('keeps a step that was moved by arrows: %s', (_, end) => {
  vi.useFakeTimers()
  const editor = new Editor({ parcours: parcoursForTests(), trace: traceForTests(), profile: 'hiking' }, servicesForTests())
  const ghost = { track: () => undefined, clear: () => undefined } as unknown as GhostHandle
  render(
    <EditorProvider editor={editor}>
      <StepMarkers ghost={ghost} />
    </EditorProvider>,
  )
  const [, step] = screen.getAllByRole('button')
  if (!step) throw new Error('no step')
  const before = present(editor.get()).steps[1]?.position
  fireEvent.keyDown(step, { key: 'ArrowUp', shiftKey: true })
  expect(isDirty(editor.get())).toBe(false)
  end(step)
  expect([isDirty(editor.get()), present(editor.get()).steps[1]?.position[1] === before?.[1]]).toEqual([true, false])
})
