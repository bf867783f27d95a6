import { useComputedColorScheme } from '@mantine/core'
import { Layer, Source } from '@vis.gl/react-maplibre'
import type { FeatureCollection, LineString } from 'geojson'
import { useMemo } from 'react'
import type { Position } from '@/api/types'
import { TraceLine } from '@/records/map/layers'
import { palettes } from '@/records/map/palette'
import { useEditorState } from '../editor/context'
import { shownGapsOf, shownLine, shownUnjudgedOf } from '../editor/shown'
import { present } from '../editor/state'
import type { GhostLines } from './useGhost'

/** The lines of the trace, lowest first: the recording, the planned line, the stretches that do not match, the line being drawn. */
export function Lines({ ghost }: { ghost: GhostLines }) {
  const line = useEditorState(shownLine)
  const mode = useEditorState((state) => present(state).mode)
  const legs = useEditorState((state) => present(state).legs)
  const layers = useEditorState((state) => state.layers)
  const gaps = useEditorState(shownGapsOf)
  const unjudged = useEditorState(shownUnjudgedOf)
  const chosen = useEditorState((state) => state.gap)
  const preview = useEditorState((state) => state.preview)
  const compared = useEditorState((state) => state.compared)
  const looked = useEditorState((state) => state.looked)
  const proposing = useEditorState((state) => (state.proposals?.ways.length ?? 0) > 0)

  const shown = useMemo(() => [line], [line])
  const source = useMemo(() => legs.filter((leg) => leg.kind === 'source').map((leg) => leg.line), [legs])
  const free = useMemo(() => legs.filter((leg) => leg.kind === 'free').map((leg) => leg.line), [legs])
  const others = useMemo(
    () => [...gaps.filter((gap) => gap.letter !== chosen && !gap.kept).map((gap) => gap.line), ...free],
    [gaps, chosen, free],
  )
  const current = useMemo(() => gaps.filter((gap) => gap.letter === chosen).map((gap) => gap.line), [gaps, chosen])
  const holes = useMemo(() => unjudged.map((gap) => gap.line), [unjudged])
  const previewed = useMemo(() => gaps.filter((gap) => preview.includes(gap.letter)), [gaps, preview])
  const waiting = useMemo(() => legs.filter((leg) => leg.pending).map((leg) => leg.line), [legs])
  const dashed = useMemo(() => [...ghost.straight, ...waiting], [ghost.straight, waiting])

  return (
    <>
      <TraceLine id="source" kind="source" lines={mode === 'planner' && layers.source && !compared && !proposing ? source : []} />
      <TraceLine
        id="shown"
        kind={mode === 'source' && !compared ? 'source' : 'planned'}
        lines={compared?.newer ? [] : shown}
        look={proposing ? 'faint' : 'plain'}
      />
      <TraceLine id="holes" kind="unjudged" lines={layers.gaps ? holes : []} />
      <TraceLine id="gaps" kind="off_network" lines={layers.gaps && preview.length === 0 && !compared ? others : []} />
      <TraceLine id="gap" kind="off_network" lines={preview.length === 0 && !compared ? current : []} look="selected" />
      <TraceLine
        id="after"
        kind="planned"
        lines={useMemo(() => previewed.flatMap((gap) => (gap.fix ? [gap.fix.line] : [])), [previewed])}
        look="selected"
      />
      <TraceLine id="before" kind="source" lines={useMemo(() => previewed.map((gap) => gap.line), [previewed])} look="dots" />
      <TraceLine
        id="compared-newer"
        kind="planned"
        lines={useMemo(() => (compared?.newer ? [compared.newer] : []), [compared])}
        look="selected"
      />
      <TraceLine id="compared-older" kind="source" lines={useMemo(() => (compared ? [compared.older] : []), [compared])} look="dots" />
      <TraceLine id="looked" kind="source" lines={looked} look="selected" />
      <Dashed id="ghost" lines={dashed} />
      <TraceLine id="ghost-planned" kind="planned" lines={ghost.planned} look="selected" />
    </>
  )
}

/** A line that is not there yet: dashes in the planned colour. */
export function Dashed({ id, lines }: { id: string; lines: readonly (readonly Position[])[] }) {
  const palette = palettes[useComputedColorScheme('light')]
  const data = useMemo<FeatureCollection<LineString>>(
    () => ({
      type: 'FeatureCollection',
      features: lines
        .filter((line) => line.length > 1)
        .map((line) => ({
          type: 'Feature',
          properties: {},
          geometry: { type: 'LineString', coordinates: line.map(([lon, lat]) => [lon, lat]) },
        })),
    }),
    [lines],
  )
  return (
    <Source id={id} type="geojson" data={data}>
      <Layer
        id={`${id}-case`}
        type="line"
        layout={{ 'line-cap': 'round', 'line-join': 'round' }}
        paint={{ 'line-color': palette.casing, 'line-width': 6, 'line-opacity': 0.85 }}
      />
      <Layer
        id={`${id}-line`}
        type="line"
        layout={{ 'line-cap': 'butt', 'line-join': 'round' }}
        paint={{ 'line-color': palette.planned, 'line-width': 3, 'line-dasharray': [2, 1.4] }}
      />
    </Source>
  )
}
