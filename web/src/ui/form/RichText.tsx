import IconBold from '@tabler/icons-react/dist/esm/icons/IconBold.mjs'
import IconH3 from '@tabler/icons-react/dist/esm/icons/IconH3.mjs'
import IconItalic from '@tabler/icons-react/dist/esm/icons/IconItalic.mjs'
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs'
import IconList from '@tabler/icons-react/dist/esm/icons/IconList.mjs'
import IconListNumbers from '@tabler/icons-react/dist/esm/icons/IconListNumbers.mjs'
import type { Icon } from '@tabler/icons-react'
import { Link as LinkMark } from '@tiptap/extension-link'
import { EditorContent, useEditor, useEditorState, type Editor } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import type { Wiring } from '@/ui/field/Field'
import { TextInput } from '@/ui/field/inputs'
import classes from './RichText.module.css'

/** An empty document is no text at all. */
const htmlOf = (editor: Editor) => (editor.isEmpty ? '' : editor.getHTML())

/** A text with headings, lists and links, as HTML; the server cleans it again. */
export default function RichText({ wiring, label, value, onChange }: { wiring: Wiring; label: string; value: string; onChange: (html: string) => void }) {
  const id = useId()
  const editor = useEditor({
    extensions: [
      StarterKit.configure({ heading: { levels: [3, 4] }, codeBlock: false, code: false, link: false, underline: false, strike: false, horizontalRule: false }),
      LinkMark.configure({ openOnClick: false, protocols: ['http', 'https', 'mailto', 'tel'], HTMLAttributes: { rel: 'noopener' } }),
    ],
    content: value,
    immediatelyRender: true,
    editorProps: {
      attributes: {
        id: wiring.id,
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        class: classes['page'] ?? '',
        ...(wiring['aria-describedby'] === undefined ? {} : { 'aria-describedby': wiring['aria-describedby'] }),
        ...(wiring['aria-invalid'] ? { 'aria-invalid': 'true' } : {}),
        ...(wiring['aria-required'] ? { 'aria-required': 'true' } : {}),
      },
    },
    onUpdate: ({ editor: changed }) => onChange(htmlOf(changed)),
  })
  // A value from outside (a draft restored, a conflict answered) takes the place of what is shown.
  useEffect(() => {
    if (!editor.isDestroyed && value !== htmlOf(editor)) editor.commands.setContent(value, { emitUpdate: false })
  }, [editor, value])
  return (
    <div className={classes['frame']} data-invalid={wiring['aria-invalid']}>
      <Toolbar editor={editor} controls={id} />
      <EditorContent editor={editor} id={id} />
    </div>
  )
}

interface Tool {
  icon: Icon
  label: string
  on: boolean
  run: () => void
}

function Toolbar({ editor, controls }: { editor: Editor; controls: string }) {
  const { t } = useTranslation()
  const [linking, setLinking] = useState(false)
  const is = useEditorState({
    editor,
    selector: ({ editor: e }) => ({ bold: e.isActive('bold'), italic: e.isActive('italic'), heading: e.isActive('heading', { level: 3 }), list: e.isActive('bulletList'), numbers: e.isActive('orderedList'), link: e.isActive('link') }),
  })
  const chain = () => editor.chain().focus()
  const tools: Tool[] = [
    { icon: IconBold, label: t('rich.bold'), on: is.bold, run: () => chain().toggleBold().run() },
    { icon: IconItalic, label: t('rich.italic'), on: is.italic, run: () => chain().toggleItalic().run() },
    { icon: IconH3, label: t('rich.heading'), on: is.heading, run: () => chain().toggleHeading({ level: 3 }).run() },
    { icon: IconList, label: t('rich.list'), on: is.list, run: () => chain().toggleBulletList().run() },
    { icon: IconListNumbers, label: t('rich.numbers'), on: is.numbers, run: () => chain().toggleOrderedList().run() },
    { icon: IconLink, label: t('rich.link'), on: is.link, run: () => (is.link ? chain().unsetLink().run() : setLinking(true)) },
  ]
  return (
    <div className={classes['tools']} role="toolbar" aria-label={t('rich.tools')} aria-controls={controls}>
      {tools.map(({ icon: Mark, label, on, run }) => (
        <button key={label} type="button" aria-pressed={on} aria-label={label} title={label} onClick={run}>
          <Mark size={17} stroke={1.75} aria-hidden />
        </button>
      ))}
      {linking && <LinkAsk editor={editor} close={() => setLinking(false)} />}
    </div>
  )
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
