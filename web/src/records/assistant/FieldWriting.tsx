import IconSparkles from '@tabler/icons-react/dist/esm/icons/IconSparkles.mjs'
import { useQuery } from '@tanstack/react-query'
import { useContext, useState } from 'react'
import { useTranslation } from '@/i18n'
import { IconButton } from '@/ui/button/Button'
import { lazyDialog } from '@/ui/dialog/lazy-dialog'
import { useForm } from '@/records/form/form-context'
import { TextsContext, textsOf, type FormText } from '@/records/translation/texts'
import { assistantQuery, needsText, tasksOf } from './assistant'

const WriteDialog = lazyDialog(() => import('./WriteDialog'))

/** By the label of a text of a parcours or a picture: the assistant that writes it. */
export default function FieldWriting({ name, code }: { name: string; code: string }) {
  const of = useContext(TextsContext)
  const form = useForm()
  if (of === null || of.id === null || (of.kind !== 'parcours' && of.kind !== 'media')) return null
  const text = textsOf(of.kind, form.values).find(({ path }) => path === name)
  return text === undefined || tasksOf(of.kind, text.field).length === 0 ? null : (
    <Beside kind={of.kind} id={of.id} text={text} code={code} label={of.labelOf(`${name}.${code}`)} />
  )
}

function Beside({ kind, id, text, code, label }: { kind: 'parcours' | 'media'; id: number; text: FormText; code: string; label: string }) {
  const { t } = useTranslation('assistant')
  const [open, setOpen] = useState(false)
  const there = useQuery(assistantQuery(kind, id)).data
  // Without a model no task works on an existing text: a name then has no assistant.
  if (there === undefined || (there.model === null && tasksOf(kind, text.field).every(needsText))) return null
  return (
    <>
      <IconButton
        size="small"
        look="ghost"
        label={t('button', { field: label })}
        icon={<IconSparkles size={16} stroke={1.75} aria-hidden />}
        onClick={() => setOpen(true)}
      />
      {open && <WriteDialog kind={kind} id={id} text={text} language={code} label={label} onClose={() => setOpen(false)} />}
    </>
  )
}
