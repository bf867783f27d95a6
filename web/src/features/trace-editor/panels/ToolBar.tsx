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
import { useTranslation } from '@/i18n'
import { toastError } from '@/ui/feedback/toast'
import { useEditor, useEditorState } from '../editor/context'
import { type Tool, tools } from '../editor/state'
import { canUndo } from '../logic/history'
import { useSingleKeys } from '../useShortcuts'
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
    <div className={classes['bar']} role="toolbar" aria-label={t('tool.label')} aria-orientation="vertical">
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
  return (
    <div className={`${classes['bar']} ${classes['phone']}`} role="toolbar" aria-label={t('tool.label')} aria-orientation="vertical">
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
          <button type="button" aria-label={t('tool.others')}>
            <IconDots size={18} stroke={1.75} aria-hidden />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.map(({ of, Mark }) => (
            <Menu.Item key={of} leftSection={<Mark size={18} stroke={1.75} aria-hidden />} onClick={() => editor.show(of)}>
              {t(`tool.view.${of}`)}
            </Menu.Item>
          ))}
          {(editable
            ? (['select', 'free', 'cut', 'trim', 'ways', 'avoid', 'loop', 'measure'] as const)
            : (['select', 'measure'] as const)
          ).map((tool) => {
            const Mark = icons[tool]
            return (
              <Menu.Item key={tool} leftSection={<Mark size={18} stroke={1.75} aria-hidden />} onClick={() => editor.choose(tool)}>
                {t(`tool.${tool}`)}
              </Menu.Item>
            )
          })}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
