import { createContext, useContext, useEffect, useSyncExternalStore, type ReactNode } from 'react'
import type { Editor } from './store'
import type { EditorState } from './state'

const Shared = createContext<Editor | null>(null)

/** Everything below edits one trace; the editor works while it is on the screen. */
export function EditorProvider({ editor, children }: { editor: Editor; children: ReactNode }) {
  useEffect(() => {
    void editor.start()
    return () => editor.stop()
  }, [editor])
  return <Shared value={editor}>{children}</Shared>
}

export function useEditor(): Editor {
  const editor = useContext(Shared)
  if (editor === null) throw new Error('no editor above this component')
  return editor
}

/** A part of the state; what it picks must be the same value while it has not changed. */
export function useEditorState<Part>(pick: (state: EditorState) => Part): Part {
  const editor = useEditor()
  return useSyncExternalStore(editor.subscribe, () => pick(editor.get()))
}
