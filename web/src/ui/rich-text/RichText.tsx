import { useId, useRef, useState, type ComponentType } from 'react'
import { flushSync } from 'react-dom'
import { translate } from '@/i18n'
import { toastError } from '@/ui/feedback/toast'
import type { Wiring } from '@/ui/field/Field'
import classes from './RichText.module.css'
import { RichTools, type RichTool } from './RichTools'
import { useComposing } from '@/ui/field/useComposing'

export interface RichTextProps {
  wiring: Wiring
  label: string
  value: string
  onChange: (html: string) => void
}

/** The user's changes to the text while the editor was being fetched. */
export interface RichStart {
  /** It has the focus; where it was pressed, px of the window. */
  focused: boolean
  at: { left: number; top: number } | null
  /** The current text, with `CARET` at the caret. */
  html: string
  /** Asks to be shown once the editor is there: the others were done by the browser. */
  tool: RichTool | null
  /** Bold and italic that were pressed for what is typed next; the browser has marked no character with them yet. */
  marks: readonly RichTool[]
}

/** What the browser itself can do to a text that one writes in. */
const own: Partial<Record<RichTool, readonly [command: string, value?: string]>> = {
  bold: ['bold'],
  italic: ['italic'],
  heading: ['formatBlock', 'h3'],
  list: ['insertUnorderedList'],
  numbers: ['insertOrderedList'],
}

/** Marks the caret in a text that moves from the browser's editor to ours; no text contains this character. */
export const CARET = '\ue000'

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

/** An empty text is no text at all, whatever marks the browser put in it. */
const htmlIn = (text: HTMLElement): string => (text.textContent === '' && text.querySelector('li') === null ? '' : text.innerHTML)

/** The text, marked where one writes in it. */
function marked(text: HTMLElement): string {
  const selection = window.getSelection()
  if (selection === null || selection.rangeCount === 0) return text.innerHTML
  const range = selection.getRangeAt(0)
  if (!text.contains(range.endContainer)) return text.innerHTML
  range.collapse(false)
  range.insertNode(document.createTextNode(CARET))
  return text.innerHTML
}

/**
 * A text with headings, lists and links, as HTML; the server cleans it again. Its editor is half as large as the rest of the
 * application and is fetched when the text gets the focus. Until it has come the browser itself edits the text
 * (accents by dead keys, AltGr, paste, Enter); then the editor continues with the same text.
 */
export function RichText(props: RichTextProps) {
  const id = useId()
  const text = useRef<HTMLDivElement>(null)
  const start = useRef<Pick<RichStart, 'at' | 'tool' | 'marks'>>({ at: null, tool: null, marks: [] })
  const [ready, setReady] = useState<{ Editor: Editor; start: RichStart } | null>(null)
  // A text that was typed here comes back as the value. It is not written again, which would move the caret.
  const [given, setGiven] = useState({ html: props.value, written: props.value })
  if (props.value !== given.written) setGiven({ html: props.value, written: props.value })
  const { whenWhole, ...composition } = useComposing()
  const take = (Editor: Editor) => {
    const focused = text.current === document.activeElement
    // At once: a character that is typed between the reading of the text and the change of editors would be lost.
    flushSync(() =>
      setReady(
        (before) =>
          before ?? { Editor, start: { ...start.current, focused, html: focused && text.current !== null ? marked(text.current) : '' } },
      ),
    )
  }
  const wake = () => {
    read().then(
      // Once the browser has put the caret where the text was pressed.
      ({ default: Editor }) => setTimeout(() => whenWhole(() => take(Editor))),
      () => toastError(translate('form.notFetched')),
    )
  }
  if (ready !== null) return <ready.Editor {...props} start={ready.start} />
  const { class: page, ...attributes } = pageOf(props)
  return (
    <div className={classes['frame']} data-invalid={props.wiring['aria-invalid']} onPointerEnter={() => void read().catch(() => undefined)}>
      <RichTools
        controls={id}
        press={(tool) => {
          // The focus goes to the text, so that the next typed characters go into it.
          text.current?.focus()
          const command = own[tool]
          if (command === undefined) {
            start.current.tool = tool
            return
          }
          if (tool === 'bold' || tool === 'italic') {
            const { marks } = start.current
            start.current.marks = marks.includes(tool) ? marks.filter((known) => known !== tool) : [...marks, tool]
          }
          // oxlint-disable-next-line typescript/no-deprecated -- nothing else writes as the browser does, and all of them know it
          document.execCommand(command[0], false, command[1])
        }}
      />
      <div id={id}>
        <div
          {...attributes}
          {...composition}
          role="textbox"
          ref={text}
          className={page}
          tabIndex={0}
          contentEditable
          suppressContentEditableWarning
          onFocus={wake}
          onInput={({ currentTarget }) => {
            const html = htmlIn(currentTarget)
            if (html !== given.written) start.current.marks = []
            setGiven((before) => ({ ...before, written: html }))
            props.onChange(html)
          }}
          onPointerDown={({ clientX, clientY }) => {
            start.current.at = { left: clientX, top: clientY }
          }}
          dangerouslySetInnerHTML={{ __html: given.html }}
        />
      </div>
    </div>
  )
}
