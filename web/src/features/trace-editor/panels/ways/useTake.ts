import { useRef } from 'react'
import { useEditor } from '../../editor/context'

/** Takes a proposal with a press. A finger cannot hover: its first press shows the way, the second takes it. */
export function useTake(rank: number, taken: () => void = () => undefined) {
  const editor = useEditor()
  const touched = useRef(false)
  const shown = useRef(false)
  return {
    onPointerDown: (event: { pointerType: string }) => {
      touched.current = event.pointerType === 'touch'
      shown.current = editor.get().proposals?.lit === rank
    },
    onClick: (event: { stopPropagation: () => void }) => {
      event.stopPropagation()
      const { proposals } = editor.get()
      if (touched.current && !shown.current && proposals) {
        touched.current = false
        editor.set({ proposals: { ...proposals, lit: rank } })
        return
      }
      editor.takeProposal(rank)
      taken()
    },
  }
}
