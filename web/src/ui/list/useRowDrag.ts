import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useEffect, useRef, useState } from 'react'

/**
 * Makes a row draggable by its grip, and a target for other rows: `onTake` gets the index of the row that was dropped on this
 * one. Rows can be dropped only within the same `list`; with `still` nothing can be dragged.
 */
export function useRowDrag<Row extends HTMLElement, Grip extends HTMLElement>(
  list: string,
  index: number,
  still: boolean,
  onTake: (from: number) => void,
) {
  const row = useRef<Row>(null)
  const grip = useRef<Grip>(null)
  const [over, setOver] = useState(false)
  const take = useRef(onTake)
  useEffect(() => {
    take.current = onTake
  })
  useEffect(() => {
    const [element, dragHandle] = [row.current, grip.current]
    if (still || element === null || dragHandle === null) return undefined
    return combine(
      draggable({ element, dragHandle, getInitialData: () => ({ list, index }) }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => source.data['list'] === list && source.element !== element,
        onDragEnter: () => setOver(true),
        onDragLeave: () => setOver(false),
        onDrop: ({ source }) => {
          setOver(false)
          const from = source.data['index']
          if (typeof from === 'number') take.current(from)
        },
      }),
    )
  }, [list, index, still])
  return { row, grip, over }
}
