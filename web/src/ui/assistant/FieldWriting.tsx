import IconSparkles from '@tabler/icons-react/dist/esm/icons/IconSparkles.mjs'
import { lazy, Suspense, useContext, useState } from 'react'
import { useTranslation } from '@/i18n'
import { IconButton } from '@/ui/button/Button'
import { useForm } from '@/ui/form/form-context'
import { TextsContext, textsOf } from '@/ui/translation/texts'
import { tasksOf } from './assistant'

const WriteDialog = lazy(() => import('./WriteDialog'))

/** By the label of a text of a parcours or a picture: the assistant that writes it. */
export default function FieldWriting({ name, code }: { name: string; code: string }) {
  const { t } = useTranslation('assistant')
  const of = useContext(TextsContext)
  const form = useForm()
  const [open, setOpen] = useState(false)
  if (of === null || of.id === null || (of.kind !== 'parcours' && of.kind !== 'media')) return null
  const text = textsOf(of.kind, form.values).find(({ path }) => path === name)
  if (text === undefined || tasksOf(of.kind, text.field).length === 0) return null
  const label = of.labelOf(`${name}.${code}`)
  return (
    <>
      <IconButton size="small" look="ghost" label={t('button', { field: label })} icon={<IconSparkles size={16} stroke={1.75} aria-hidden />} onClick={() => setOpen(true)} />
      <Suspense fallback={null}>{open && <WriteDialog kind={of.kind} id={of.id} text={text} language={code} label={label} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
