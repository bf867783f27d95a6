import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import IconGripVertical from '@tabler/icons-react/dist/esm/icons/IconGripVertical.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from '@/i18n'
import { IconButton } from '@/ui/button/Button'
import { format, textOf } from '@/ui/format'
import { useCursorStore } from '@/records/map/cursor'
import { remove, reorderTo } from '../editor/actions'
import { useEditor, useEditorState } from '../editor/context'
import type { ShownStep } from '../editor/shown'
import { present } from '../editor/state'
import { useStepName } from '../words'
import { kindIcons } from './kind-icons'
import classes from './steps.module.css'

/** Gives the focus to a row once it is drawn. */
export function focusRow(key: number | null): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-row="${key ?? ''}"]`)?.focus())
}

/** One step of the list: chosen with a press, moved with the handle or Alt and the arrows, removed with Delete. */
export function StepRow({ shown, rank, onEdit }: { shown: ShownStep; rank: number; onEdit: () => void }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const cursor = useCursorStore()
  const chosen = useEditorState((state) => state.step === shown.step.key)
  const editable = useEditorState((state) => state.parcours.editable)
  const nameOf = useStepName()
  const { row, grip, over } = useRowDrag(shown.step.key, rank, editable)
  const { step, label } = shown
  const name = nameOf(step, label)
  const named = textOf(step.title, '') !== ''
  const isEnd = step.kind === 'departure' || step.kind === 'arrival'
  const Icon = kindIcons[step.kind]

  const onKeyDown = (event: KeyboardEvent) => {
    if (!editable) return
    const by = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined
    if (by !== undefined) {
      reorderTo(editor, step.key, rank + by)
      focusRow(step.key)
    } else if (event.key === 'Delete') focusRow(remove(editor, step.key))
    else return
    event.preventDefault()
  }
  return (
    <li ref={row} className={classes['row']} data-chosen={chosen || undefined} data-over={over}>
      <span
        ref={grip}
        className={classes['grip']}
        data-still={!editable || undefined}
        aria-hidden="true"
        title={editable ? t('steps.drag', { name }) : undefined}
      >
        {editable && <IconGripVertical size={16} stroke={1.75} />}
      </span>
      <button
        type="button"
        className={classes['choose']}
        data-row={step.key}
        aria-pressed={chosen}
        onClick={() => editor.set({ step: step.key })}
        onDoubleClick={onEdit}
        onMouseEnter={() => cursor.set(shown.at_m, 'list')}
        onMouseLeave={() => cursor.set(null, 'list')}
        onFocus={() => cursor.set(shown.at_m, 'list')}
        onBlur={() => cursor.set(null, 'list')}
        onKeyDown={onKeyDown}
      >
        <span className={classes['disc']} data-kind={isEnd ? 'end' : step.kind === 'waypoint' ? 'waypoint' : 'stage'}>
          {label}
        </span>
        <span className={classes['words']}>
          <span className={`${classes['name']} clamp2`} title={name} data-unnamed={!named || undefined}>
            {name}
          </span>
          {(named || !isEnd) && (
            <span className={classes['kind']}>
              <Icon size={14} stroke={1.75} aria-hidden />
              {t(`kind.${step.kind}`)}
            </span>
          )}
          {shown.beside_m !== null && (
            <span className={classes['beside']}>{t('steps.beside', { distance: format.distance(shown.beside_m) })}</span>
          )}
        </span>
        <span className={`${classes['km']} num`}>{format.km(shown.at_m)}</span>
      </button>
      {chosen && editable && (
        <IconButton
          look="ghost"
          size="small"
          label={t('steps.edit', { name })}
          icon={<IconPencil size={16} stroke={1.75} aria-hidden />}
          onClick={onEdit}
        />
      )}
    </li>
  )
}

/** The handle of a row: dropped above or below another one. */
function useRowDrag(key: number, rank: number, editable: boolean) {
  const editor = useEditor()
  const row = useRef<HTMLLIElement>(null)
  const grip = useRef<HTMLSpanElement>(null)
  const [over, setOver] = useState<'above' | 'below' | undefined>(undefined)
  useEffect(() => {
    const [element, dragHandle] = [row.current, grip.current]
    if (!element || !dragHandle || !editable) return undefined
    const side = (clientY: number) => {
      const box = element.getBoundingClientRect()
      return clientY < box.top + box.height / 2 ? 'above' : 'below'
    }
    return combine(
      draggable({ element, dragHandle, getInitialData: () => ({ step: key }) }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => typeof source.data['step'] === 'number' && source.data['step'] !== key,
        onDrag: ({ location }) => setOver(side(location.current.input.clientY)),
        onDragLeave: () => setOver(undefined),
        onDrop: ({ source, location }) => {
          setOver(undefined)
          const moved = source.data['step']
          if (typeof moved !== 'number') return
          const from = present(editor.get()).steps.findIndex((one) => one.key === moved)
          const to = rank + (side(location.current.input.clientY) === 'below' ? 1 : 0)
          reorderTo(editor, moved, from < to ? to - 1 : to)
        },
      }),
    )
  }, [editor, key, rank, editable])
  return { row, grip, over }
}
