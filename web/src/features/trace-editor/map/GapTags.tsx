import { Marker } from '@vis.gl/react-maplibre'
import { useTranslation } from 'react-i18next'
import { useEditor, useEditorState } from '../editor/context'
import { shownGapsOf } from '../editor/shown'
import { useCause } from '../panels/gap-words'
import classes from './map.module.css'

/** A, B, C beside the stretches that do not match: pressing one opens it in the panel. */
export function GapTags() {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const gaps = useEditorState(shownGapsOf)
  const chosen = useEditorState((state) => state.gap)
  const shown = useEditorState((state) => state.layers.gaps)
  const cause = useCause()
  if (!shown) return null
  return gaps
    .filter((gap) => !gap.kept)
    .map((gap) => {
      const place = gap.line[Math.floor(gap.line.length / 2)]
      return (
        place && (
          <Marker key={gap.letter} longitude={place[0]} latitude={place[1]} offset={[18, -18]}>
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
