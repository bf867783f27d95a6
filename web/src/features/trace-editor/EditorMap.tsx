import { Marker, useMap } from '@vis.gl/react-maplibre'
import { useEffect, useMemo, useState } from 'react'
import { payload } from '@/api/payload'
import { useTranslation } from '@/i18n'
import type { LngLat, Position } from '@/api/types'
import type { Padding } from '@/records/map/camera'
import { CursorOnMap } from '@/records/map/layers'
import { type Bbox, bboxOf } from '@/records/map/geo'
import { MapCanvas } from '@/records/map/MapCanvas'
import { Cross } from '@/records/shape/Cross'
import { penLine } from './editor/actions'
import { useEditor, useEditorState } from './editor/context'
import { shownGapsOf, shownLine, shownMeasured } from './editor/shown'
import { present } from './editor/state'
import { measured, placeAt } from './logic/revision'
import { GapTags } from './map/GapTags'
import { attachGestures } from './map/gestures'
import { paddingOf, useFirstLines } from './map/first-lines'
import { Dashed, Lines } from './map/Lines'
import classes from './map/map.module.css'
import { StepMarkers } from './map/StepMarkers'
import { Turn } from './map/Turn'
import { Ways } from './map/Ways'
import { type GhostHandle, useGhost } from './map/useGhost'

/** The same beside the dialog of a file that is looked at. */
const beside = { top: 40, right: 650, bottom: 40, left: 40 }

/** The map of the editor: the trace, its steps, and every gesture. */
export default function EditorMap({ narrow, bare }: { narrow: boolean; bare: boolean }) {
  const { t } = useTranslation('trace')
  const trace = useEditorState((state) => state.trace)
  const editor = useEditor()
  const ghost = useGhost()
  const [first] = useState<Bbox | null>(() => bboxOf(measured(present(editor.get())).points))
  // A file that has just been imported is looked at as a whole; an edit never moves the map.
  const [of, setOf] = useState(trace)
  const [bounds, setBounds] = useState(first)
  const file = useEditorState((state) => present(state).source?.file ?? null)
  const [ofFile, setOfFile] = useState(file)
  if (file !== ofFile) {
    setOfFile(file)
    setBounds(bboxOf(measured(present(editor.get())).points))
  }
  if (trace !== of) {
    setOf(trace)
    if (trace?.source_file?.sha256 !== of?.source_file?.sha256) setBounds(trace?.bbox ?? null)
  }
  const looked = useEditorState((state) => state.looked)
  const line = useEditorState(shownLine)
  // A file is shown together with the line it would replace, unless it is elsewhere.
  const lookedAt = useMemo(() => {
    const own = bboxOf(looked.flatMap(cornersOf))
    return own && meets(own, payload().map.bbox) ? bboxOf([...looked.flatMap(cornersOf), ...cornersOf(line)]) : own
  }, [looked, line])
  const padding = paddingOf(narrow, bare)
  const firstLines = useFirstLines()
  return (
    <div className={classes['map']}>
      <MapCanvas
        label={t('map.label')}
        bounds={lookedAt ?? bounds}
        follow
        padding={lookedAt && !narrow ? beside : padding}
        first={firstLines}
        controls={false}
      >
        <Lines ghost={ghost.lines} />
        <Ways narrow={narrow} />
        <Pen />
        <Gestures ghost={ghost} />
        <Cursor />
        <GapTags />
        <StepMarkers ghost={ghost} />
        <Turn />
        <Look />
        <View padding={padding} />
        <Names />
      </MapCanvas>
      <Cross label={t('map.cross')} />
    </div>
  )
}

function Gestures({ ghost }: { ghost: GhostHandle }) {
  const { current: map } = useMap()
  const editor = useEditor()
  const { track, clear } = ghost
  useEffect(() => (map ? attachGestures(map.getMap(), editor, { track, clear }) : undefined), [map, editor, track, clear])
  return null
}

/** The cursor that map, profile, ruban and list share. */
function Cursor() {
  return <CursorOnMap line={useEditorState(shownMeasured)} />
}

/** The unfinished drawing of the free and the measuring tool, and the places that a tool has marked. */
function Pen() {
  const pen = useEditorState((state) => state.pen)
  const marks = useEditorState((state) => state.marks)
  const revision = useEditorState(present)
  const lines = useMemo(() => [penLine({ pen, marks }, revision)], [pen, marks, revision])
  const places = marks.flatMap((mark) => placeAt(revision, mark) ?? []).length > 0 ? marks.map((mark) => placeAt(revision, mark)) : []
  return (
    <>
      <Dashed id="pen" lines={lines} />
      {[...places, ...pen].map(
        (place, index) =>
          place && (
            <Marker key={`${index}-${place.join()}`} longitude={place[0]} latitude={place[1]}>
              <span className={classes['mark']} aria-hidden="true" />
            </Marker>
          ),
      )}
    </>
  )
}

/** The view that keys and buttons ask for. */
function View({ padding }: { padding: Padding }) {
  const { current: map } = useMap()
  const editor = useEditor()
  const view = useEditorState((state) => state.view)
  useEffect(() => {
    if (!view || !map) return
    const { steps } = present(editor.get())
    const all = bboxOf([...measured(present(editor.get())).points, ...steps.map((one) => one.position)])
    if (view.of === 'in') map.zoomIn({ duration: 200 })
    else if (view.of === 'out') map.zoomOut({ duration: 200 })
    else if (all) map.fitBounds(all, { padding, maxZoom: 16, duration: 200 })
    // Asked anew with each turn, whatever the room around.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [map, editor, view])
  return null
}

/** Names of the map around a step are looked for this far away, in pixels. */
const NAMES_PX = 70
const MOST_NAMES = 4

/** Proposes the names that the map shows around the step that was just placed. */
function Names() {
  const { current: map } = useMap()
  const editor = useEditor()
  const key = useEditorState((state) => state.naming?.key ?? null)
  useEffect(() => {
    const place = present(editor.get()).steps.find((one) => one.key === key)?.position
    if (!map || key === null || !place) return
    const { x, y } = map.project(lngLat(place))
    const found = map.queryRenderedFeatures([
      [x - NAMES_PX, y - NAMES_PX],
      [x + NAMES_PX, y + NAMES_PX],
    ])
    const names = found.flatMap(({ layer, properties }): string[] => {
      const name: unknown = properties['name']
      return layer.type === 'symbol' && typeof name === 'string' && name !== '' ? [name] : []
    })
    editor.set({ naming: { key, names: [...new Set(names)].slice(0, MOST_NAMES) } })
  }, [map, editor, key])
  return null
}

/** Looks at the step or the gap that was chosen elsewhere, when it is out of sight. */
function Look() {
  const { current: map } = useMap()
  const editor = useEditor()
  const step = useEditorState((state) => state.step)
  const gap = useEditorState((state) => state.gap)
  const look = useEditorState((state) => state.look)
  useEffect(() => {
    if (look && map) map.easeTo({ center: lngLat(look), zoom: Math.max(map.getZoom(), 14), duration: 200 })
  }, [map, look])
  useEffect(() => {
    const state = editor.get()
    const place = present(state).steps.find((one) => one.key === step)?.position
    if (place && map && !map.getBounds()?.contains(lngLat(place))) map.easeTo({ center: lngLat(place), duration: 200 })
  }, [map, editor, step])
  useEffect(() => {
    const line = shownGapsOf(editor.get()).find((one) => one.letter === gap)?.line
    const box = line ? bboxOf(line) : null
    if (box && map && !(map.getBounds()?.contains([box[0], box[1]]) && map.getBounds()?.contains([box[2], box[3]])))
      map.fitBounds(box, { padding: 160, maxZoom: 15.5, duration: 200 })
  }, [map, editor, gap])
  return null
}

function meets([west, south, east, north]: Bbox, region: readonly number[] | null): boolean {
  const [left, bottom, right, top] = region ?? []
  return (
    left !== undefined &&
    bottom !== undefined &&
    right !== undefined &&
    top !== undefined &&
    west <= right &&
    east >= left &&
    south <= top &&
    north >= bottom
  )
}

function cornersOf(line: readonly Position[]): LngLat[] {
  const box = bboxOf(line)
  return box
    ? [
        [box[0], box[1]],
        [box[2], box[3]],
      ]
    : []
}

const lngLat = (place: readonly [number, number, number?]): LngLat => [place[0], place[1]]
