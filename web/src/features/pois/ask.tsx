import { useTranslation } from '@/i18n'
import type { VocabularyKind } from '@/api/model'
import { Field } from '@/ui/field/Field'
import { SelectInput } from '@/ui/field/inputs'
import { useVocabulary } from '@/ui/form/vocabulary'
import { labelOf } from '@/ui/resource/define'

interface AskProps {
  value: unknown
  onChange: (value: unknown) => void
}

function Ask({ kind, label, value, onChange }: AskProps & { kind: VocabularyKind; label: string }) {
  const { t } = useTranslation()
  const { choices } = useVocabulary(kind)
  return <Field label={label}>{(wiring) => <SelectInput {...wiring} value={typeof value === 'number' ? String(value) : null} onChange={(id) => onChange(id === null ? undefined : Number(id))} choices={choices} empty={t('form.none')} />}</Field>
}

/** Which category is added. */
export const AskCategory = (props: AskProps) => <Ask {...props} kind="poi_category" label={labelOf('pois', 'category_ids')} />
/** Which theme is added. */
export const AskTheme = (props: AskProps) => <Ask {...props} kind="poi_theme" label={labelOf('pois', 'theme_ids')} />
