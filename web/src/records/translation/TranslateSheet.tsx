import IconLanguage from '@tabler/icons-react/dist/esm/icons/IconLanguage.mjs'
import { useQuery } from '@tanstack/react-query'
import { useContext, useState } from 'react'
import { payload } from '@/api/payload'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { lazyDialog } from '@/ui/dialog/lazy-dialog'
import { useForm } from '@/records/form/form-context'
import { ReadOnlyContext } from '@/records/form/read-only'
import { statesQuery, TextsContext, textsOf, type TextsOf } from './texts'

const TranslateDialog = lazyDialog(() => import('./TranslateDialog'))

/** « Traduire la fiche » : all its texts, side by side. */
export default function TranslateSheet() {
  const of = useContext(TextsContext)
  const locked = useContext(ReadOnlyContext)
  const target = payload().content_languages[1]
  return of === null || locked || target === undefined ? null : <Open of={of} target={target} />
}

function Open({ of, target }: { of: TextsOf; target: string }) {
  const { t } = useTranslation('translation')
  const form = useForm()
  const [open, setOpen] = useState(false)
  const states = useQuery(statesQuery(of)).data
  return (
    <>
      <Button
        size="small"
        icon={<IconLanguage size={16} stroke={1.75} aria-hidden />}
        disabledReason={states?.translates === false ? t('noService') : undefined}
        onClick={() => setOpen(true)}
      >
        {t('sheet')}
      </Button>
      {open && <TranslateDialog of={of} texts={textsOf(of.kind, form.values)} target={target} onClose={() => setOpen(false)} />}
    </>
  )
}
