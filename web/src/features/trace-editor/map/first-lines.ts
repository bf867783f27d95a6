import { useMemo } from 'react'
import type { Padding } from '@/records/map/camera'
import type { FirstLine } from '@/records/map/FirstDrawing'
import { useEditorState } from '../editor/context'
import { shownGapsOf, shownLine, shownUnjudgedOf } from '../editor/shown'
import { present } from '../editor/state'

/** Padding in pixels for the panels over the map. */
const desk = { top: 70, right: 366, bottom: 70, left: 80 }
const phone = { top: 40, right: 70, bottom: 40, left: 30 }

/** The padding around the trace, in pixels: `narrow` is a phone, `bare` is without panels. */
export const paddingOf = (narrow: boolean, bare: boolean): Padding => (narrow ? phone : bare ? 60 : desk)

/** The lines of the trace that the map shows at first (`Lines`), undermost first. */
export function useFirstLines(): FirstLine[] {
  const line = useEditorState(shownLine)
  const mode = useEditorState((state) => present(state).mode)
  const legs = useEditorState((state) => present(state).legs)
  const layers = useEditorState((state) => state.layers)
  const gaps = useEditorState(shownGapsOf)
  const unjudged = useEditorState(shownUnjudgedOf)
  return useMemo(
    () => [
      ...legs.flatMap((leg): FirstLine[] =>
        mode === 'planner' && layers.source && leg.kind === 'source' ? [{ kind: 'source', line: leg.line }] : [],
      ),
      { kind: mode === 'source' ? 'source' : 'planned', line },
      ...(layers.gaps ? unjudged.map((gap): FirstLine => ({ kind: 'unjudged', line: gap.line })) : []),
      ...(layers.gaps
        ? [...gaps.filter((gap) => !gap.kept), ...legs.filter((leg) => leg.kind === 'free')].map(({ line: stretch }): FirstLine => ({
            kind: 'off_network',
            line: stretch,
          }))
        : []),
    ],
    [line, mode, legs, layers, gaps, unjudged],
  )
}
