import IconMapPinPlus from '@tabler/icons-react/dist/esm/icons/IconMapPinPlus.mjs'
import IconRouteX from '@tabler/icons-react/dist/esm/icons/IconRouteX.mjs'
import type { KeyboardEvent } from 'react'
import { currentLocale, useTranslation } from '@/i18n'
import type { Instruction } from '@/api/types'
import { Button } from '@/ui/button/Button'
import { format } from '@/ui/format'
import { useCursorStore } from '@/records/map/cursor'
import { addTurn, avoidAfter } from '../../editor/actions'
import { useEditor, useEditorState } from '../../editor/context'
import classes from './guidance.module.css'
import { turnIcons } from './turn-icons'

/** Arrows, Home and End go through the sentences. */
function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
  const rows = [...(event.currentTarget.closest('ol')?.querySelectorAll<HTMLElement>('[data-turn]') ?? [])]
  const here = rows.indexOf(event.currentTarget)
  const next = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: rows.length - 1 }[event.key]
  if (next === undefined) return
  event.preventDefault()
  rows[Math.min(rows.length - 1, Math.max(0, next))]?.focus()
}

/** One sentence: where it is given, and for how long it holds. The chosen one is shown on the map. */
export function TurnRow({ turn, chosen, reached }: { turn: Instruction; chosen: boolean; reached: boolean }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const cursor = useCursorStore()
  const editable = useEditorState((state) => state.parcours.editable)
  const Mark = turnIcons[turn.kind]
  const end = turn.kind === 'depart' || turn.kind === 'arrive'
  return (
    <li className={classes['row']} data-chosen={chosen || undefined}>
      <button
        type="button"
        className={classes['turn']}
        data-turn=""
        tabIndex={reached ? 0 : -1}
        aria-current={chosen || undefined}
        onClick={() => editor.set({ turn })}
        onFocus={() => editor.set({ turn })}
        onKeyDown={onKeyDown}
        onMouseEnter={() => cursor.set(turn.at_m, 'list')}
        onMouseLeave={() => cursor.set(null, 'list')}
      >
        <span className={classes['mark']} data-end={end || undefined}>
          <Mark size={18} stroke={1.75} aria-hidden />
        </span>
        <span className={classes['words']}>
          <span className={classes['sentence']}>{turn[currentLocale()]}</span>
          {turn.length_m > 0 && (
            <span className={`${classes['length']} num`}>{t('guidance.for', { distance: format.distance(turn.length_m) })}</span>
          )}
        </span>
        <span className={`${classes['km']} num`}>{format.km(turn.at_m)}</span>
      </button>
      {chosen && editable && !end && (
        <div className={classes['actions']}>
          <Button size="small" icon={<IconMapPinPlus size={16} stroke={1.75} aria-hidden />} onClick={() => addTurn(editor, turn)}>
            {t('guidance.addStep')}
          </Button>
          {turn.length_m > 1 && turn.kind !== 'off_network' && (
            <Button
              look="ghost"
              size="small"
              icon={<IconRouteX size={16} stroke={1.75} aria-hidden />}
              onClick={() => avoidAfter(editor, turn)}
            >
              {t('guidance.avoid')}
            </Button>
          )}
        </div>
      )}
    </li>
  )
}
