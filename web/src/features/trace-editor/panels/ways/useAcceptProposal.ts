import { useRef } from 'react'
import { useEditor } from '../../editor/context'

/** Accepts a proposal when it is pressed. On a touch screen, which cannot hover, the first press highlights it and the second accepts it. */
export function useAcceptProposal(rank: number, taken: () => void = () => undefined) {
  const editor = useEditor()
  const touched = useRef(false)
  const shown = useRef(false)
  return {
    onPointerDown: (event: { pointerType: string }) => {
      touched.current = event.pointerType === 'touch'
      shown.current = editor.get().proposals?.highlighted === rank
    },
    onClick: (event: { stopPropagation: () => void }) => {
      event.stopPropagation()
      const { proposals } = editor.get()
      if (touched.current && !shown.current && proposals) {
        touched.current = false
        editor.set({ proposals: { ...proposals, highlighted: rank } })
        return
      }
      editor.acceptProposal(rank)
      taken()
    },
  }
}
