import { useEffect } from 'react'
import { useMe } from '@/api/session'
import { isDialogOpen } from '@/ui/focus'
import { useEditor } from './editor/context'
import { type Tool, tools } from './editor/state'
import { focusPanelField, focusTool } from './panels/ways/focus'

/** A letter typed in a field is a letter; in an open dialog or menu keys belong to it. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('input:not([type=radio],[type=checkbox]), textarea, select, [role=dialog], [role=menu]') !== null)
  )
}

const isInToolPanel = (target: EventTarget | null): boolean => target instanceof Element && target.closest('[data-tool-panel]') !== null

const all: readonly Tool[] = ['select', 'step', 'free', 'cut', 'trim', 'ways', 'avoid', 'loop', 'measure', 'layers']

const viewKeys: Readonly<Record<string, 'all' | 'in' | 'out'>> = { '0': 'all', '+': 'in', '=': 'in', '-': 'out' }

/** Whether the account allows shortcuts of a single key (WCAG 2.1.4). */
export const useSingleKeys = (): boolean => useMe().single_keys

/** The editor's keys, wherever the focus is outside of fields and dialogs. */
export function useShortcuts({ onHelp, onPanels, onSave }: { onHelp: () => void; onPanels: () => void; onSave: () => void }): void {
  const editor = useEditor()
  const singleKeys = useSingleKeys()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return
      const control = event.ctrlKey || event.metaKey
      if (control && event.key.toLowerCase() === 's') {
        if (!isDialogOpen()) onSave()
      } else if (event.key === 'Escape' && isInToolPanel(event.target)) putDown(editor)
      else if (isTyping(event.target)) return
      else if (singleKeys && event.key === '\\') onPanels()
      else if (singleKeys && event.key === '?') onHelp()
      else if (control && event.key.toLowerCase() === 'z') travel(editor, event.shiftKey)
      else if (control && event.key.toLowerCase() === 'y') editor.redo()
      else if (control || event.altKey || event.metaKey) return
      else if (event.key === 'Escape') editor.choose('select')
      else if (!singleKeys) return
      else if (viewKeys[event.key]) editor.show(viewKeys[event.key] ?? 'all')
      else if (!pressTool(editor, event.key.toUpperCase())) return
      event.preventDefault()
    }
    globalThis.addEventListener('keydown', onKey)
    return () => globalThis.removeEventListener('keydown', onKey)
  }, [editor, singleKeys, onHelp, onPanels, onSave])
}

function travel(editor: ReturnType<typeof useEditor>, forth: boolean): void {
  if (forth) editor.redo()
  else editor.undo()
}

/** The panel goes with its tool: the focus does not go with it. */
function putDown(editor: ReturnType<typeof useEditor>): void {
  const { tool } = editor.get()
  editor.choose('select')
  focusTool(tool)
}

function pressTool(editor: ReturnType<typeof useEditor>, letter: string): boolean {
  const tool = all.find((one) => tools[one] === letter)
  const { editable } = editor.get().parcours
  if (!tool || (!editable && tool !== 'select' && tool !== 'measure' && tool !== 'layers')) return false
  editor.choose(tool)
  focusPanelField()
  return true
}
