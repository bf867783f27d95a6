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
import { useAcceptProposal } from '../panels/ways/useAcceptProposal'
import classes from './map.module.css'

const none: readonly Proposal[] = []
const waysOf = (state: EditorState): readonly Proposal[] => state.proposals?.ways ?? none

/** Padding in pixels for the panels over the map. */
const desk = { top: 130, right: 366, bottom: 70, left: 80 }
const phone = { top: 40, right: 74, bottom: 40, left: 40 }

/** The proposals, each with its own colour, dashes and number; the highlighted one is wide and above the others. */
export function Ways({ narrow }: { narrow: boolean }) {
  const { current: map } = useMap()
  const ways = useEditorState(waysOf)
  const highlighted = useEditorState((state) => state.proposals?.highlighted ?? null)
  const lookOf = (rank: number) => (highlighted === null || highlighted === rank ? 'plain' : 'faint')
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
        <WayLine key={rank} id={`way-${rank + 1}-under`} part="casing" rank={rank} line={line} look={lookOf(rank)} />
      ))}
      {lines.map((line, rank) => (
        <WayLine key={rank} id={`way-${rank + 1}`} part="line" rank={rank} line={line} look={lookOf(rank)} />
      ))}
      {highlighted !== null && lines[highlighted] && (
        <WayLine id="way-lit-under" part="casing" rank={highlighted} line={lines[highlighted]} look="highlighted" />
      )}
      {highlighted !== null && lines[highlighted] && (
        <WayLine id="way-lit" part="line" rank={highlighted} line={lines[highlighted]} look="highlighted" />
      )}
      {ways.map(
        (way, rank) => places[rank] && <Tag key={rank} rank={rank} place={places[rank]} way={way} highlighted={highlighted === rank} />,
      )}
    </>
  )
}

const dashes = [undefined, [3, 1.1], [1.1, 0.8]] as const

interface WayLineProps {
  id: string
  part: 'casing' | 'line'
  rank: number
  line: readonly Position[]
  look: 'plain' | 'highlighted' | 'faint'
}

function WayLine({ id, part, rank, line, look }: WayLineProps) {
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
  const opacity = look === 'faint' ? 0.55 : 1
  return (
    <Source id={id} type="geojson" data={data}>
      {part === 'casing' && look === 'highlighted' && (
        <Layer id={`${id}-halo`} type="line" layout={round} paint={{ 'line-color': color, 'line-width': 19, 'line-opacity': 0.22 }} />
      )}
      {part === 'casing' && (
        <Layer
          id={`${id}-case`}
          type="line"
          layout={round}
          paint={{ 'line-color': palette.casing, 'line-width': look === 'highlighted' ? 11 : 8, 'line-opacity': opacity }}
        />
      )}
      {part === 'line' && (
        <Layer
          id={`${id}-line`}
          type="line"
          layout={dash ? { 'line-cap': 'butt', 'line-join': 'round' } : round}
          paint={{
            'line-color': color,
            'line-width': look === 'highlighted' ? 7 : 4.4,
            'line-opacity': opacity,
            ...(dash ? { 'line-dasharray': [...dash] } : {}),
          }}
        />
      )}
    </Source>
  )
}

/** The number of a way, on a stretch that no other way shares; highlighted and accepted as in the list. */
function Tag({ rank, place, way, highlighted }: { rank: number; place: LngLat; way: Proposal; highlighted: boolean }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const press = useAcceptProposal(rank)
  const light = (on: boolean) => {
    const { proposals } = editor.get()
    if (proposals && (on || proposals.highlighted === rank)) editor.set({ proposals: { ...proposals, highlighted: on ? rank : null } })
  }
  return (
    <Marker longitude={place[0]} latitude={place[1]} style={{ zIndex: highlighted ? 5 : 4 }}>
      <button
        type="button"
        className={classes['letter']}
        data-way={rank + 1}
        data-lit={highlighted || undefined}
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
  const request = useEditorState((state) => (state.proposals?.request.kind === 'avoid' ? state.proposals.request : null))
  const lines = useMemo(() => {
    const [from, to] = request ? [request.from_m, request.to_m] : (marks ?? [])
    return from === undefined || to === undefined ? [] : [sliceLine(measured(revision), from, to)]
  }, [revision, marks, request])
  return <TraceLine id="avoided" kind="closed" lines={lines} />
}
