import { Link as LinkMark } from '@tiptap/extension-link'
import { EditorContent, useEditor, useEditorState, type Editor } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { TextInput } from '@/ui/field/inputs'
import { adaptPasted } from './pasted'
import { CARET, pageOf, type RichStart, type RichTextProps } from './RichText'
import classes from './RichText.module.css'
import { RichTools, type RichTool } from './RichTools'

/** An empty document is no text at all. */
const htmlOf = (editor: Editor) => (editor.isEmpty ? '' : editor.getHTML())

/** The editor of a text with headings, lists and links; it goes on where `start` says. */
export default function RichEditor({ start, ...props }: RichTextProps & { start: RichStart }) {
  const { wiring, value, onChange } = props
  const id = useId()
  const [linking, setLinking] = useState(false)
  const editor = useEditor({
    extensions: [
      StarterKit.configure({
        heading: { levels: [3, 4] },
        codeBlock: false,
        code: false,
        link: false,
        underline: false,
        strike: false,
        horizontalRule: false,
      }),
      LinkMark.configure({ openOnClick: false, protocols: ['http', 'https', 'mailto', 'tel'], HTMLAttributes: { rel: 'noopener' } }),
    ],
    content: start.html === '' ? value : start.html,
    immediatelyRender: true,
    editorProps: { attributes: pageOf(props), transformPastedHTML: adaptPasted },
    onUpdate: ({ editor: changed }) => onChange(htmlOf(changed)),
  })
  // A value from outside (a draft restored, a conflict answered) replaces the shown one.
  const seen = useRef(value)
  useEffect(() => {
    if (value === seen.current) return
    seen.current = value
    if (!editor.isDestroyed && value !== htmlOf(editor)) editor.commands.setContent(value, { emitUpdate: false })
  }, [editor, value])
  const is = useEditorState({
    editor,
    selector: ({ editor: e }) => ({
      bold: e.isActive('bold'),
      italic: e.isActive('italic'),
      heading: e.isActive('heading', { level: 3 }),
      list: e.isActive('bulletList'),
      numbers: e.isActive('orderedList'),
      link: e.isActive('link'),
    }),
  })
  const press = (tool: RichTool) => {
    if (tool === 'link' && !is.link) setLinking(true)
    else toggle[tool](editor.chain().focus()).run()
  }
  // Once, when it takes the place of the text that was read.
  useEffect(() => {
    const caret = caretIn(editor)
    if (caret !== null) editor.view.dispatch(editor.state.tr.delete(caret, caret + CARET.length))
    if (!start.focused) return
    const pressed = start.at === null ? null : editor.view.posAtCoords(start.at)
    editor.view.focus()
    editor.commands.focus(caret ?? pressed?.pos ?? 'start', { scrollIntoView: false })
    start.marks.forEach(press)
    if (start.tool !== null) press(start.tool)
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [editor])
  return (
    <div className={classes['frame']} data-invalid={wiring['aria-invalid']}>
      <RichTools controls={id} on={is} press={press}>
        {linking && <LinkAsk editor={editor} close={() => setLinking(false)} />}
      </RichTools>
      <EditorContent editor={editor} id={id} />
    </div>
  )
}

/** Where the text was being written before the editor came. */
function caretIn(editor: Editor): number | null {
  let found: number | null = null
  editor.state.doc.descendants((node, at) => {
    const index = node.text?.indexOf(CARET) ?? -1
    if (index !== -1) found ??= at + index
  })
  return found
}

type Chain = ReturnType<Editor['chain']>
const toggle: Record<RichTool, (chain: Chain) => Chain> = {
  bold: (chain) => chain.toggleBold(),
  italic: (chain) => chain.toggleItalic(),
  heading: (chain) => chain.toggleHeading({ level: 3 }),
  list: (chain) => chain.toggleBulletList(),
  numbers: (chain) => chain.toggleOrderedList(),
  link: (chain) => chain.unsetLink(),
}

function LinkAsk({ editor, close }: { editor: Editor; close: () => void }) {
  const { t } = useTranslation()
  const [url, setUrl] = useState('https://')
  const good = /^(https?:\/\/[^\s]+\.[^\s]+|mailto:\S+@\S+|tel:[+\d][\d\s.]+)$/.test(url.trim())
  const put = () => {
    editor.chain().focus().extendMarkRange('link').setLink({ href: url.trim() }).run()
    close()
  }
  return (
    <div className={classes['ask']}>
      <TextInput
        autoFocus
        type="url"
        aria-label={t('rich.address')}
        value={url}
        onChange={setUrl}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close()
          if (event.key !== 'Enter') return
          event.preventDefault()
          if (good) put()
        }}
      />
      <Button size="small" disabledReason={good ? undefined : t('rich.badAddress')} onClick={put}>
        {t('rich.putLink')}
      </Button>
      <Button size="small" look="ghost" onClick={close}>
        {t('cancel')}
      </Button>
    </div>
  )
}
