import type { ReactNode } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { format } from '@/ui/format'
import { useCursorStore } from '@/records/map/cursor'
import { decideAgain } from '../editor/actions'
import { useEditor, useEditorState } from '../editor/context'
import { type ShownUnjudged, shownKeptOf, shownMeasured, shownUnjudgedOf } from '../editor/shown'
import { bareKm, kmDigits } from '../words'
import { useCause } from './gap-words'
import classes from './reliability.module.css'

/** What could not be judged, apart, with its share. */
export function Unjudged() {
  const { t } = useTranslation('trace')
  return <Apart gaps={useEditorState(shownUnjudgedOf)} title={t('reliability.unjudged')} />
}

/** What an editor keeps off the network: it counts neither for nor against, and can be decided again. */
export function Kept() {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const editable = useEditorState((state) => state.parcours.editable)
  return (
    <Apart gaps={useEditorState(shownKeptOf)} title={t('reliability.keptTitle')} note={t('reliability.keptMeans')}>
      {(gap) =>
        editable && (
          <Button look="link" size="small" onClick={() => decideAgain(editor, gap)}>
            {t('reliability.decideAgain')}
          </Button>
        )
      }
    </Apart>
  )
}

function Apart({
  gaps,
  title,
  note,
  children,
}: {
  gaps: readonly ShownUnjudged[]
  title: string
  note?: string
  children?: (gap: ShownUnjudged) => ReactNode
}) {
  const { t } = useTranslation('trace')
  const total = useEditorState((state) => shownMeasured(state).lengthM)
  const cursor = useCursorStore()
  const editor = useEditor()
  const cause = useCause()
  if (gaps.length === 0) return null
  const length = gaps.reduce((sum, gap) => sum + gap.length_m, 0)
  return (
    <details className={classes['unjudged']}>
      <summary>
        <strong>{title}</strong>{' '}
        <span className="num">
          {t('reliability.unjudgedShare', { length: format.distance(length), share: format.percent((100 * length) / Math.max(1, total)) })}
        </span>
      </summary>
      {note !== undefined && <p>{note}</p>}
      <ul>
        {gaps.map((gap) => (
          <li key={`${gap.from_m} ${gap.cause}`}>
            <button
              type="button"
              onClick={() => editor.set({ look: gap.line[0] ?? null })}
              onMouseEnter={() => cursor.set(gap.shown.from_m, 'list')}
              onMouseLeave={() => cursor.set(null, 'list')}
            >
              {cause(gap)},{' '}
              <span className="num">
                {t('reliability.where', {
                  from: bareKm(gap.shown.from_m, kmDigits(gap.length_m)),
                  to: bareKm(gap.shown.to_m, kmDigits(gap.length_m)),
                  length: format.distance(gap.length_m),
                })}
              </span>
            </button>
            {children?.(gap)}
          </li>
        ))}
      </ul>
    </details>
  )
}
