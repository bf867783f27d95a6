import { Menu } from '@mantine/core'
import IconArrowsMaximize from '@tabler/icons-react/dist/esm/icons/IconArrowsMaximize.mjs'
import IconMinus from '@tabler/icons-react/dist/esm/icons/IconMinus.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconCirclePlus from '@tabler/icons-react/dist/esm/icons/IconCirclePlus.mjs'
import IconCrop from '@tabler/icons-react/dist/esm/icons/IconCrop.mjs'
import IconCurrentLocation from '@tabler/icons-react/dist/esm/icons/IconCurrentLocation.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconArrowLoopRight from '@tabler/icons-react/dist/esm/icons/IconArrowLoopRight.mjs'
import IconArrowsSplit from '@tabler/icons-react/dist/esm/icons/IconArrowsSplit.mjs'
import IconLineDashed from '@tabler/icons-react/dist/esm/icons/IconLineDashed.mjs'
import IconPointer from '@tabler/icons-react/dist/esm/icons/IconPointer.mjs'
import IconRouteX from '@tabler/icons-react/dist/esm/icons/IconRouteX.mjs'
import IconRulerMeasure from '@tabler/icons-react/dist/esm/icons/IconRulerMeasure.mjs'
import IconScissors from '@tabler/icons-react/dist/esm/icons/IconScissors.mjs'
import IconStack2 from '@tabler/icons-react/dist/esm/icons/IconStack2.mjs'
import type { Icon } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from '@/i18n'
import { toastError } from '@/ui/feedback/toast'
import { format } from '@/ui/format'
import { useTouch } from '@/ui/usePhone'
import { useEditor, useEditorState } from '../editor/context'
import { type Tool, tools } from '../editor/state'
import { canUndo } from '../logic/history'
import { useSingleKeys } from '../useShortcuts'
import { focusPanelField } from './ways/focus'
import classes from './tools.module.css'

const icons: Record<Tool, Icon> = {
  select: IconPointer,
  step: IconCirclePlus,
  free: IconLineDashed,
  cut: IconScissors,
  trim: IconCrop,
  ways: IconArrowsSplit,
  avoid: IconRouteX,
  loop: IconArrowLoopRight,
  measure: IconRulerMeasure,
  layers: IconStack2,
}
const views = [
  { of: 'all', keys: '0', Mark: IconArrowsMaximize },
  { of: 'in', keys: '+', Mark: IconPlus },
  { of: 'out', keys: '−', Mark: IconMinus },
] as const
const changing: readonly Tool[] = ['step', 'free', 'cut', 'trim']
const asking: readonly Tool[] = ['ways', 'avoid', 'loop']
const watching: readonly Tool[] = ['measure', 'layers']
/** The tools that a phone has in a menu. */
const inMenu: readonly Tool[] = ['select', 'free', 'cut', 'trim', 'ways', 'avoid', 'loop', 'measure']

/** The bar is one stop of Tab; arrows, Home and End go from button to button. */
function useRoving() {
  const bar = useRef<HTMLDivElement>(null)
  const last = useRef<HTMLButtonElement>(null)
  // Renders the bar again when another tool is chosen: the stop moves to it, as long as no button has had the focus.
  useEditorState((state) => state.tool)
  useEffect(() => setStop(bar.current, last.current))
  useEffect(() => {
    const element = bar.current
    if (element === null) return undefined
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof HTMLButtonElement) last.current = target
      setStop(element, last.current)
    }
    const onKey = (event: KeyboardEvent) => {
      const all = buttonsOf(element)
      const at = all.findIndex((one) => one === event.target)
      const to = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key]
      if (at < 0 || to === undefined || event.altKey || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      all.at(to % all.length)?.focus()
    }
    element.addEventListener('focusin', onFocus)
    element.addEventListener('keydown', onKey)
    return () => {
      element.removeEventListener('focusin', onFocus)
      element.removeEventListener('keydown', onKey)
    }
  }, [])
  return bar
}

const buttonsOf = (bar: HTMLElement | null): HTMLButtonElement[] => [...(bar?.querySelectorAll('button') ?? [])]

/** Tab comes to the button that had the focus last, else to that of the current tool. */
function setStop(bar: HTMLElement | null, last: HTMLButtonElement | null): void {
  const all = buttonsOf(bar)
  const stop = all.find((one) => one === last) ?? all.find((one) => one.getAttribute('aria-pressed') === 'true') ?? all[0]
  for (const one of all) one.tabIndex = one === stop ? 0 : -1
}

function ToolButton({ tool }: { tool: Tool }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const on = useEditorState((state) => state.tool === tool)
  const Mark = icons[tool]
  const keyed = useKeyed()
  const { name, keys } = keyed(t(`tool.${tool}`), tools[tool])
  return (
    <button
      type="button"
      data-tool={tool}
      aria-pressed={on}
      aria-label={name}
      aria-keyshortcuts={keys}
      title={name}
      onClick={() => editor.choose(on ? 'select' : tool)}
    >
      <Mark size={18} stroke={1.75} aria-hidden />
    </button>
  )
}

/** The name of a button with its key, while keys of a single letter are on. */
function useKeyed(): (name: string, keys: string) => { name: string; keys: string | undefined } {
  const singleKeys = useSingleKeys()
  return (name, keys) => (singleKeys ? { name: `${name} (${keys})`, keys } : { name, keys: undefined })
}

/** One tool a letter, at the left of the map. */
export function ToolBar() {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const keyed = useKeyed()
  const editable = useEditorState((state) => state.parcours.editable)
  return (
    <div ref={useRoving()} className={classes['bar']} role="toolbar" aria-label={t('tool.label')} aria-orientation="vertical">
      <ToolButton tool="select" />
      {editable && changing.map((tool) => <ToolButton key={tool} tool={tool} />)}
      {editable && (
        <>
          <hr />
          {asking.map((tool) => (
            <ToolButton key={tool} tool={tool} />
          ))}
        </>
      )}
      <hr />
      {watching.map((tool) => (
        <ToolButton key={tool} tool={tool} />
      ))}
      <hr />
      {views.map(({ of, keys, Mark }) => {
        const { name, keys: shortcuts } = keyed(t(`tool.view.${of}`), keys)
        return (
          <button key={of} type="button" aria-label={name} aria-keyshortcuts={shortcuts} title={name} onClick={() => editor.show(of)}>
            <Mark size={18} stroke={1.75} aria-hidden />
          </button>
        )
      })}
    </div>
  )
}

/** On a phone: add, undo, layers, and the rest in a menu. */
export function PhoneToolBar() {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const editable = useEditorState((state) => state.parcours.editable)
  const undoable = useEditorState((state) => canUndo(state.history))
  const tool = useEditorState((state) => state.tool)
  const touch = useTouch()
  const inHand = tool !== 'select' && inMenu.includes(tool)
  const InHand = inHand ? icons[tool] : IconDots
  return (
    <div
      ref={useRoving()}
      className={`${classes['bar']} ${classes['phone']}`}
      role="toolbar"
      aria-label={t('tool.label')}
      aria-orientation="vertical"
    >
      {editable && <ToolButton tool="step" />}
      {editable && (
        <button type="button" aria-label={t('tool.undo')} aria-disabled={!undoable} onClick={() => editor.undo()}>
          <IconArrowBackUp size={18} stroke={1.75} aria-hidden />
        </button>
      )}
      <ToolButton tool="layers" />
      <button
        type="button"
        aria-label={t('tool.locate')}
        onClick={() =>
          navigator.geolocation.getCurrentPosition(
            ({ coords }) => editor.set({ look: [coords.longitude, coords.latitude] }),
            () => toastError(t('tool.noPlace')),
            { timeout: 10_000 },
          )
        }
      >
        <IconCurrentLocation size={18} stroke={1.75} aria-hidden />
      </button>
      <Menu position="left-start">
        <Menu.Target>
          <button
            type="button"
            data-in-hand={inHand || undefined}
            aria-label={inHand ? format.labelled(t('tool.others'), t(`tool.${tool}`)) : t('tool.others')}
          >
            <InHand size={18} stroke={1.75} aria-hidden />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.map(({ of, Mark }) => (
            <Menu.Item key={of} leftSection={<Mark size={18} stroke={1.75} aria-hidden />} onClick={() => editor.show(of)}>
              {t(`tool.view.${of}`)}
            </Menu.Item>
          ))}
          {inMenu
            .filter((one) => editable || one === 'select' || one === 'measure')
            .map((one) => {
              const Mark = icons[one]
              return (
                <Menu.Item
                  key={one}
                  leftSection={<Mark size={18} stroke={1.75} aria-hidden />}
                  onClick={() => {
                    editor.choose(one)
                    // Under a finger the field would open the keyboard over the map.
                    if (!touch) focusPanelField()
                  }}
                >
                  {t(`tool.${one}`)}
                </Menu.Item>
              )
            })}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
