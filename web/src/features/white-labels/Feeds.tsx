import { useContext, useState } from 'react'
import { useTranslation } from '@/i18n'
import { Field, ReadOnly } from '@/ui/field/Field'
import { TextArea } from '@/ui/field/inputs'
import { SelectField } from '@/ui/form/choice-fields'
import { useField } from '@/ui/form/form-context'
import { ReadOnlyContext } from '@/ui/form/read-only'
import type { FieldOf } from '@/ui/resource/define'

const licences = ['etalab', 'odbl', 'cc_by', 'cc_by_sa'] as const

/** What others' sites may do with the public API: which pages ask, under which licence open data go out. */
export function Feeds({ f }: { f: FieldOf }) {
  const { t } = useTranslation('whiteLabels')
  return (
    <>
      <p className="small muted">
        {t('feedsHint')}{' '}
        <a href="/api/docs" target="_blank" rel="noopener">
          {t('feedsDocs')}
        </a>
      </p>
      <Origins {...f('allowed_origins')} hint={t('originsHint')} />
      <SelectField {...f('open_data_licence')} required choices={licences.map((licence) => ({ value: licence, label: t(`licence.${licence}`) }))} hint={t('licenceHint')} />
    </>
  )
}

/** Sites, one a line. */
function Origins({ name, label, hint }: { name: string; label: string; hint: string }) {
  const { value, set, error } = useField<string[]>(name)
  const [typed, setTyped] = useState<string | null>(null)
  const readOnly = useContext(ReadOnlyContext)
  const sites = value ?? []
  if (readOnly) return <ReadOnly label={label}>{sites.join(', ')}</ReadOnly>
  const change = (text: string) => {
    setTyped(text)
    set(text.split('\n').map((line) => line.trim()).filter((line) => line !== ''))
  }
  return (
    <Field label={label} hint={hint} error={error} path={name}>
      {(wiring) => <TextArea {...wiring} rows={3} spellCheck={false} value={typed ?? sites.join('\n')} placeholder="https://www.mairie.fr" onChange={change} onBlur={() => setTyped(null)} />}
    </Field>
  )
}
