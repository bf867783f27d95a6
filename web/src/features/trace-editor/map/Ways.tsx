import { useComputedColorScheme } from '@mantine/core'
import { Layer, Marker, Source, useMap } from '@vis.gl/react-maplibre'
import type { FeatureCollection, LineString } from 'geojson'
import { useEffect, useMemo } from 'react'
import { useTranslation } from '@/i18n'
import type { LngLat, Position } from '@/api/types'
import { format } from '@/ui/format'
import { bboxOf } from '@/records/map/geo'
import { TraceLine } from '@/records/map/layers'
import { sliceLine } from '@/records/map/line'
import { palettes } from '@/records/map/palette'
import { useEditor, useEditorState } from '../editor/context'
import { type EditorState, present } from '../editor/state'
import { measured } from '../logic/revision'
import { type Proposal, tagPlaces } from '../logic/ways'
import { useTake } from '../panels/ways/useTake'
import classes from './map.module.css'

const none: readonly Proposal[] = []
const waysOf = (state: EditorState): readonly Proposal[] => state.proposals?.ways ?? none

/** Padding in pixels for the panels over the map. */
const desk = { top: 130, right: 366, bottom: 70, left: 80 }
const phone = { top: 40, right: 74, bottom: 40, left: 40 }

/** The proposals, each with its own colour, dashes and number; the one looked at is wide and above the others. */
export function Ways({ narrow }: { narrow: boolean }) {
  const { current: map } = useMap()
  const ways = useEditorState(waysOf)
  const lit = useEditorState((state) => state.proposals?.lit ?? null)
  const lines = useMemo(() => ways.map((way) => way.route.geometry), [ways])
  const places = useMemo(() => tagPlaces(lines), [lines])
  useEffect(() => {
    const box = bboxOf(lines.flat())
    if (map && box) map.fitBounds(box, { padding: narrow ? phone : desk, maxZoom: 15, duration: 200 })
  }, [map, lines, narrow])
  return (
    <>
      <Avoided />
      {/* Every casing is under every line: where two ways run together, the dashes of one let the other be seen. */}
      {lines.map((line, rank) => (
        <WayLine key={rank} id={`way-${rank + 1}-under`} part="casing" rank={rank} line={line} faint={lit !== null && lit !== rank} />
      ))}
      {lines.map((line, rank) => (
        <WayLine key={rank} id={`way-${rank + 1}`} part="line" rank={rank} line={line} faint={lit !== null && lit !== rank} />
      ))}
      {lit !== null && lines[lit] && <WayLine id="way-lit-under" part="casing" rank={lit} line={lines[lit]} lit />}
      {lit !== null && lines[lit] && <WayLine id="way-lit" part="line" rank={lit} line={lines[lit]} lit />}
      {ways.map((way, rank) => places[rank] && <Tag key={rank} rank={rank} place={places[rank]} way={way} lit={lit === rank} />)}
    </>
  )
}

const dashes = [undefined, [3, 1.1], [1.1, 0.8]] as const

interface WayLineProps {
  id: string
  part: 'casing' | 'line'
  rank: number
  line: readonly Position[]
  lit?: boolean
  faint?: boolean
}

function WayLine({ id, part, rank, line, lit = false, faint = false }: WayLineProps) {
  const palette = palettes[useComputedColorScheme('light')]
  const color = [palette.way1, palette.way2, palette.way3][rank] ?? palette.way1
  const dash = dashes[rank]
  const data = useMemo<FeatureCollection<LineString>>(
    () => ({
      type: 'FeatureCollection',
      features: [{ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates: line.map(([lon, lat]) => [lon, lat]) } }],
    }),
    [line],
  )
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const
  const opacity = faint ? 0.55 : 1
  return (
    <Source id={id} type="geojson" data={data}>
      {part === 'casing' && lit && (
        <Layer id={`${id}-halo`} type="line" layout={round} paint={{ 'line-color': color, 'line-width': 19, 'line-opacity': 0.22 }} />
      )}
      {part === 'casing' && (
        <Layer
          id={`${id}-case`}
          type="line"
          layout={round}
          paint={{ 'line-color': palette.casing, 'line-width': lit ? 11 : 8, 'line-opacity': opacity }}
        />
      )}
      {part === 'line' && (
        <Layer
          id={`${id}-line`}
          type="line"
          layout={dash ? { 'line-cap': 'butt', 'line-join': 'round' } : round}
          paint={{
            'line-color': color,
            'line-width': lit ? 7 : 4.4,
            'line-opacity': opacity,
            ...(dash ? { 'line-dasharray': [...dash] } : {}),
          }}
        />
      )}
    </Source>
  )
}

/** The number of a way, on the stretch it has for itself: looked at and taken as in the list. */
function Tag({ rank, place, way, lit }: { rank: number; place: LngLat; way: Proposal; lit: boolean }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const press = useTake(rank)
  const light = (on: boolean) => {
    const { proposals } = editor.get()
    if (proposals && (on || proposals.lit === rank)) editor.set({ proposals: { ...proposals, lit: on ? rank : null } })
  }
  return (
    <Marker longitude={place[0]} latitude={place[1]} style={{ zIndex: lit ? 5 : 4 }}>
      <button
        type="button"
        className={classes['letter']}
        data-way={rank + 1}
        data-lit={lit || undefined}
        aria-label={t('ways.tag', { number: rank + 1, distance: format.km(way.route.distance_m) })}
        onMouseDown={(event) => event.stopPropagation()}
        onTouchStart={(event) => event.stopPropagation()}
        onMouseEnter={() => light(true)}
        onMouseLeave={() => light(false)}
        onFocus={() => light(true)}
        onBlur={() => light(false)}
        {...press}
      >
        {rank + 1}
      </button>
    </Marker>
  )
}

/** The stretch that is kept out of: barred, as a closed way is. */
function Avoided() {
  const revision = useEditorState(present)
  const marks = useEditorState((state) => (state.tool === 'avoid' && state.marks.length === 2 ? state.marks : null))
  const asked = useEditorState((state) => (state.proposals?.asked.kind === 'avoid' ? state.proposals.asked : null))
  const lines = useMemo(() => {
    const [from, to] = asked ? [asked.from_m, asked.to_m] : (marks ?? [])
    return from === undefined || to === undefined ? [] : [sliceLine(measured(revision), from, to)]
  }, [revision, marks, asked])
  return <TraceLine id="avoided" kind="closed" lines={lines} />
}
