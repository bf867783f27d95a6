import { useId, useRef, useState, type ComponentType, type KeyboardEvent } from 'react'
import { translate } from '@/i18n'
import { toastError } from '@/ui/feedback/toast'
import type { Wiring } from '@/ui/field/Field'
import classes from './RichText.module.css'
import { RichTools, type RichTool } from './RichTools'

export interface RichTextProps {
  wiring: Wiring
  label: string
  value: string
  onChange: (html: string) => void
}

/** What was done to the text while its editor was on the way. */
export interface RichStart {
  /** It has the focus; where it was pressed, px of the window. */
  focused: boolean
  at: { left: number; top: number } | null
  typed: string
  tool: RichTool | null
}

type Editor = ComponentType<RichTextProps & { start: RichStart }>

const read = () => import('./RichEditor')

/** The attributes of the text itself, read or written. */
export const pageOf = ({ wiring, label }: RichTextProps): Record<string, string> => ({
  id: wiring.id,
  role: 'textbox',
  'aria-multiline': 'true',
  'aria-label': label,
  class: classes['page'] ?? '',
  ...(wiring['aria-describedby'] === undefined ? {} : { 'aria-describedby': wiring['aria-describedby'] }),
  ...(wiring['aria-invalid'] ? { 'aria-invalid': 'true' } : {}),
  ...(wiring['aria-required'] ? { 'aria-required': 'true' } : {}),
})

/**
 * A text with headings, lists and links, as HTML; the server cleans it again. It is shown as it is until somebody comes to
 * it: the editor weighs half as much as all the rest of the app.
 */
export function RichText(props: RichTextProps) {
  const id = useId()
  const text = useRef<HTMLDivElement>(null)
  const start = useRef<RichStart>({ focused: false, at: null, typed: '', tool: null })
  const [ready, setReady] = useState<{ Editor: Editor; start: RichStart } | null>(null)
  const wake = () => {
    read().then(
      ({ default: Editor }) => setReady((before) => before ?? { Editor, start: { ...start.current, focused: text.current === document.activeElement } }),
      () => toastError(translate('form.notFetched')),
    )
  }
  if (ready !== null) return <ready.Editor {...props} start={ready.start} />
  const type = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1) return
    event.preventDefault()
    start.current.typed += event.key
  }
  const { class: page, ...attributes } = pageOf(props)
  return (
    <div className={classes['frame']} data-invalid={props.wiring['aria-invalid']} onPointerEnter={() => void read().catch(() => undefined)}>
      <RichTools
        controls={id}
        press={(tool) => {
          start.current.tool = tool
          // What is typed next is text.
          text.current?.focus()
        }}
      />
      <div id={id}>
        <div
          {...attributes}
          role="textbox"
          ref={text}
          className={page}
          tabIndex={0}
          onFocus={wake}
          onKeyDown={type}
          onPointerDown={({ clientX, clientY }) => {
            start.current.at = { left: clientX, top: clientY }
          }}
          // A link in it is text to be changed here.
          onClick={(event) => event.preventDefault()}
          dangerouslySetInnerHTML={{ __html: props.value }}
        />
      </div>
    </div>
  )
}
