import IconMagnet from '@tabler/icons-react/dist/esm/icons/IconMagnet.mjs'
import { useTranslation } from '@/i18n'
import { format } from '@/ui/format'
import { penLine } from '../editor/actions'
import { useEditorState } from '../editor/context'
import { type EditorState, present } from '../editor/state'
import { measure } from '@/records/map/line'
import classes from './tools.module.css'

type Tip =
  | 'select'
  | 'selectSource'
  | 'stepFirst'
  | 'step'
  | 'freeStart'
  | 'freeNext'
  | 'cut'
  | 'trim'
  | 'ways'
  | 'avoid'
  | 'loop'
  | 'measure'
  | 'layers'
  | 'planning'
  | 'readOnly'

/** What does the same by keyboard: the cross of the map, for some tools also a kilometre. */
const byKeys: Partial<Record<Tip, 'keys' | 'keysKm'>> = {
  stepFirst: 'keys',
  step: 'keysKm',
  freeStart: 'keysKm',
  freeNext: 'keysKm',
  cut: 'keysKm',
  trim: 'keysKm',
  avoid: 'keysKm',
  ways: 'keys',
  loop: 'keys',
  measure: 'keys',
}

function tipOf(state: EditorState): Tip {
  const { tool } = state
  if (state.planning) return 'planning'
  if (tool === 'select' && !state.parcours.editable) return 'readOnly'
  if (tool === 'select') return present(state).mode === 'source' ? 'selectSource' : 'select'
  if (tool === 'step') return present(state).steps.length === 0 ? 'stepFirst' : 'step'
  if (tool === 'free') return state.marks.length === 0 ? 'freeStart' : 'freeNext'
  return tool
}

/** The next step with the current tool, in one sentence over the map; on a phone only while a tool is chosen. */
export function TipBar({ narrow = false }: { narrow?: boolean }) {
  const { t } = useTranslation('trace')
  const tip = useEditorState(tipOf)
  const isIdle = useEditorState((state) => state.tool === 'select' && state.parcours.editable)
  const measuring = useEditorState((state) => state.tool === 'measure' && state.pen.length > 1)
  const keys = byKeys[tip]
  const measured = useEditorState((state) => (measuring ? measure(penLine({ pen: state.pen, marks: [] }, present(state))).lengthM : 0))
  if (narrow && isIdle) return null
  return (
    <div className={classes['tip']} role="status">
      <IconMagnet size={14} stroke={2} aria-hidden />
      <span>
        {measuring ? t('tip.measured', { distance: format.distance(measured) }) : t(`tip.${tip}`)}
        {keys && !measuring && <span className={classes['keys']}> {t(`tip.${keys}`)}</span>}
      </span>
      {tip === 'select' && (
        <>
          <kbd>Alt</kbd> <span>{t('tip.selectAlt')}</span>
        </>
      )}
    </div>
  )
}
