import { Marker } from '@vis.gl/react-maplibre'
import { useMemo } from 'react'
import { useTranslation } from '@/i18n'
import type { Position } from '@/api/types'
import { bboxOf } from '@/records/map/geo'
import { useEditor, useEditorState } from '../editor/context'
import { shownGapsOf, shownLine } from '../editor/shown'
import { useCause } from '../panels/gap-words'
import classes from './map.module.css'

/** A, B, C beside the stretches that do not match: pressing one opens it in the panel. */
export function GapTags() {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const gaps = useEditorState(shownGapsOf)
  const chosen = useEditorState((state) => state.gap)
  const shown = useEditorState((state) => state.layers.gaps && state.compared === null)
  const line = useEditorState(shownLine)
  const box = useMemo(() => bboxOf(line), [line])
  const cause = useCause()
  if (!shown) return null
  return gaps
    .filter((gap) => !gap.kept)
    .map((gap) => {
      const place = gap.line[Math.floor(gap.line.length / 2)]
      return (
        place && (
          <Marker key={gap.letter} longitude={place[0]} latitude={place[1]} offset={outwards(place, box)}>
            <button
              type="button"
              className={classes['letter']}
              aria-pressed={chosen === gap.letter}
              aria-label={t('map.gap', { letter: gap.letter, cause: cause(gap) })}
              onMouseDown={(event) => event.stopPropagation()}
              onTouchStart={(event) => event.stopPropagation()}
              onClick={(event) => {
                event.stopPropagation()
                editor.set({ gap: chosen === gap.letter ? null : gap.letter })
              }}
            >
              {gap.letter}
            </button>
          </Marker>
        )
      )
    })
}

/** Away from the middle of the trace, so that a tag is outside a loop and clear of the line. */
function outwards(place: Position, box: readonly [number, number, number, number] | null): [number, number] {
  if (!box) return [20, -20]
  const east = (place[0] - (box[0] + box[2]) / 2) / Math.max(1e-9, box[2] - box[0])
  const north = (place[1] - (box[1] + box[3]) / 2) / Math.max(1e-9, box[3] - box[1])
  const far = Math.hypot(east, north)
  return far < 0.05 ? [20, -20] : [(26 * east) / far, (-26 * north) / far]
}
