import { Marker, useMap } from '@vis.gl/react-maplibre'
import { type KeyboardEvent, type PointerEvent, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from '@/i18n'
import type { Position } from '@/api/types'
import { format } from '@/ui/format'
import { moveTo, remove } from '../editor/actions'
import { useEditor, useEditorState } from '../editor/context'
import { type ShownStep, shownStepsOf } from '../editor/shown'
import { offsetBy } from '../logic/geo'
import { useStepName } from '../words'
import { metresPerPixel } from './gestures'
import classes from './map.module.css'
import type { GhostHandle } from './useGhost'

/** The finger hides what it moves: the step runs this far above it. */
const FINGER_PX = 44
/** A step dropped this near the line slides along it. */
const SLIDE_PX = 10
/**
 * Nearer than this, the disc of the last step is drawn beside the first one. The hit area of a disc is 44 px wide (`.step::before` in
 * map.module.css): at this distance two of them overlap by 8 px only, outside of both discs.
 */
const MEET_PX = 36
/** How far beside the first disc it is drawn. */
const SHIFT_PX = 34
/** A step moved by the arrows is kept so long after the last key, as Enter keeps it: a reload or a save would not know of it. */
const KEEP_AFTER_MS = 2_000
const ARROWS: Partial<Record<string, readonly [east: number, north: number]>> = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
}

/** Gives the focus to a step's disc, once it is drawn. */
export function focusStep(key: number | null): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-step="${key ?? ''}"]`)?.focus())
}

/** Every step as a disc that can be dragged, and moved with the arrows. */
export function StepMarkers({ ghost }: { ghost: GhostHandle }) {
  const steps = useEditorState(shownStepsOf)
  const shown = useEditorState((state) => state.layers.steps)
  const shift = useEndsMeet(steps)
  if (!shown) return null
  return steps.map((one, index) => (
    <StepMarker key={one.step.key} shown={one} first={index === 0} shift={index === steps.length - 1 ? shift : 0} ghost={ghost} />
  ))
}

/**
 * How far to the right (below zero: to the left) the disc of the last step is drawn, so that it does not cover the first one. Zero where
 * they are apart at the map's current zoom; the ends of a loop meet at any zoom.
 */
function useEndsMeet(steps: readonly ShownStep[]): number {
  const { current: map } = useMap()
  const subscribe = useCallback(
    (changed: () => void) => {
      map?.on('move', changed)
      return () => void map?.off('move', changed)
    },
    [map],
  )
  return useSyncExternalStore(subscribe, () => {
    const [first] = steps
    const last = steps.at(-1)
    if (!map || !first || !last || first === last) return 0
    const pixel = ({ step: { position } }: ShownStep) => map.project([position[0], position[1]])
    const [from, to] = [pixel(first), pixel(last)]
    if (Math.hypot(to.x - from.x, to.y - from.y) >= MEET_PX) return 0
    return to.x < from.x ? -SHIFT_PX : SHIFT_PX
  })
}

function StepMarker({ shown, first, shift, ghost }: { shown: ShownStep; first: boolean; shift: number; ghost: GhostHandle }) {
  const { t } = useTranslation('trace')
  const { current: map } = useMap()
  const editor = useEditor()
  const editable = useEditorState((state) => state.parcours.editable)
  const chosen = useEditorState((state) => state.step === shown.step.key)
  const nameOf = useStepName()
  const [moved, setMoved] = useState<Position | null>(null)
  const drag = useRef<{ x: number; y: number; touch: boolean; place: Position | null } | null>(null)
  const keeping = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(keeping.current), [])
  const { step, label } = shown
  const place = moved ?? step.position

  const drop = (to: Position | null, free: boolean) => {
    clearTimeout(keeping.current)
    drag.current = null
    setMoved(null)
    ghost.clear()
    if (to && map) moveTo(editor, step.key, to, { free, onLineWithinM: SLIDE_PX * metresPerPixel(map.getMap(), to[1]) })
  }
  const onPointerDown = (event: PointerEvent<HTMLButtonElement>) => {
    event.stopPropagation()
    if (!editable || event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { x: event.clientX, y: event.clientY, touch: event.pointerType === 'touch', place: null }
  }
  const onPointerMove = (event: PointerEvent) => {
    const now = drag.current
    if (!now || !map || (now.place === null && Math.hypot(event.clientX - now.x, event.clientY - now.y) < 4)) return
    const box = map.getCanvas().getBoundingClientRect()
    const to = map.unproject([event.clientX - box.left, event.clientY - box.top - (now.touch ? FINGER_PX : 0)])
    now.place = [to.lng, to.lat]
    setMoved(now.place)
    ghost.track(step.at_m, now.place, event.altKey)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const arrow = ARROWS[event.key]
    const far = event.shiftKey ? 100 : 10
    const letter = event.ctrlKey || event.metaKey ? event.key.toLowerCase() : null
    if (letter === 's' && moved) {
      // The save that this key begins waits for the planner's line to the new place.
      drop(moved, false)
      return
    }
    if (arrow && editable && !event.altKey) {
      const to = offsetBy(place, arrow[0] * far, arrow[1] * far)
      setMoved(to)
      ghost.track(step.at_m, to, false)
      clearTimeout(keeping.current)
      keeping.current = setTimeout(() => drop(to, false), KEEP_AFTER_MS)
    } else if (event.key === 'Enter' && moved) drop(moved, event.altKey)
    else if ((event.key === 'Escape' || letter === 'z') && moved) drop(null, false)
    else if ((event.key === 'Delete' || event.key === 'Backspace') && editable) focusStep(remove(editor, step.key))
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const words = { label, name: nameOf(step, label), km: format.km(shown.at_m) }
  return (
    <Marker
      longitude={place[0]}
      latitude={place[1]}
      // No shift during a drag: the disc shows where the step will be dropped.
      offset={[moved === null ? shift : 0, 0]}
      style={{ zIndex: chosen || moved ? 3 : first ? 2 : 1 }}
    >
      <button
        type="button"
        className={classes['step']}
        data-step={step.key}
        data-kind={step.kind === 'departure' || step.kind === 'arrival' ? 'end' : step.kind === 'waypoint' ? 'waypoint' : 'stage'}
        data-chosen={chosen || undefined}
        data-moving={moved !== null || undefined}
        aria-label={editable ? t('map.step', words) : t('map.stepStill', words)}
        aria-pressed={chosen}
        title={moved ? t('map.pending') : words.name}
        onClick={(event) => {
          event.stopPropagation()
          editor.set({ step: step.key })
        }}
        onPointerDown={onPointerDown}
        onMouseDown={(event) => event.stopPropagation()}
        onTouchStart={(event) => event.stopPropagation()}
        onPointerMove={onPointerMove}
        onPointerUp={(event) => drop(drag.current?.place ?? null, event.altKey)}
        onPointerCancel={() => drop(null, false)}
        onKeyDown={onKeyDown}
        onBlur={() => moved && drag.current === null && drop(moved, false)}
      >
        {label}
      </button>
    </Marker>
  )
}
