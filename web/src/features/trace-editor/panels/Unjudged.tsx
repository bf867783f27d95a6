import { useTranslation } from '@/i18n'
import { format } from '@/ui/format'
import { useCursorStore } from '@/ui/map/cursor'
import { useEditor, useEditorState } from '../editor/context'
import { shownMeasured, shownUnjudgedOf } from '../editor/shown'
import { bareKm, kmDigits } from '../words'
import { useCause } from './gap-words'
import classes from './reliability.module.css'

/** What could not be judged, apart, with its share. */
export function Unjudged() {
  const { t } = useTranslation('trace')
  const gaps = useEditorState(shownUnjudgedOf)
  const total = useEditorState((state) => shownMeasured(state).length_m)
  const cursor = useCursorStore()
  const editor = useEditor()
  const cause = useCause()
  if (gaps.length === 0) return null
  const length = gaps.reduce((sum, gap) => sum + gap.length_m, 0)
  return (
    <details className={classes['unjudged']}>
      <summary>
        <strong>{t('reliability.unjudged')}</strong> <span className="num">{t('reliability.unjudgedShare', { length: format.distance(length), share: format.percent((100 * length) / Math.max(1, total)) })}</span>
      </summary>
      <ul>
        {gaps.map((gap) => (
          <li key={`${gap.from_m} ${gap.cause}`}>
            <button type="button" onClick={() => editor.set({ look: gap.line[0] ?? null })} onMouseEnter={() => cursor.set(gap.shown.from_m, 'list')} onMouseLeave={() => cursor.set(null, 'list')}>
              {cause(gap)}, <span className="num">{t('reliability.where', { from: bareKm(gap.shown.from_m, kmDigits(gap.length_m)), to: bareKm(gap.shown.to_m, kmDigits(gap.length_m)), length: format.distance(gap.length_m) })}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}
