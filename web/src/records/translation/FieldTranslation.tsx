import IconLanguage from '@tabler/icons-react/dist/esm/icons/IconLanguage.mjs'
import { useQuery } from '@tanstack/react-query'
import { useContext, useState } from 'react'
import { payload } from '@/api/payload'
import { useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { IconButton } from '@/ui/button/Button'
import { lazyDialog } from '@/ui/dialog/lazy-dialog'
import { useField, useForm } from '@/records/form/form-context'
import type { TextState } from '@/api/types'
import { statesQuery, TextsContext, textsOf, type TextsOf } from './texts'

const TranslateDialog = lazyDialog(() => import('./TranslateDialog'))

const tones = { machine: 'info', assistant: 'info', stale: 'warn' } as const
const isToned = (state: TextState): state is keyof typeof tones => state in tones

/** By the label of a text in one language: who made it, and a button that asks for a translation. */
export default function FieldTranslation({ name, code }: { name: string; code: string }) {
  const of = useContext(TextsContext)
  return of === null ? null : <Beside of={of} name={name} code={code} />
}

function Beside({ of, name, code }: { of: TextsOf; name: string; code: string }) {
  const { t } = useTranslation('translation')
  const form = useForm()
  const { dirty } = useField<string | undefined>(`${name}.${code}`)
  const [open, setOpen] = useState(false)
  const states = useQuery(statesQuery(of)).data
  const text = textsOf(of.kind, form.values).find(({ path }) => path === name)
  if (text === undefined) return null
  const state = states?.items.find(({ field, language }) => field === text.field && language === code)?.state
  const source = payload().content_languages[0]
  return (
    <>
      {state !== undefined && isToned(state) && !dirty && (
        <Badge tone={tones[state]} title={t(`state.${state}Text`)}>
          {t(`state.${state}`)}
        </Badge>
      )}
      {code !== source && (
        <IconButton
          size="small"
          look="ghost"
          disabledReason={states?.translates === false ? t('noService') : undefined}
          label={t('fieldButton', { field: of.labelOf(`${name}.${code}`) })}
          icon={<IconLanguage size={16} stroke={1.75} aria-hidden />}
          onClick={() => setOpen(true)}
        />
      )}
      {open && <TranslateDialog of={of} texts={[text]} target={code} onClose={() => setOpen(false)} />}
    </>
  )
}
