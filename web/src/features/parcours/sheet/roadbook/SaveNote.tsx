import { useTranslation } from '@/i18n'
import type { Named } from '@/api/types'
import { useDirtyCount } from '@/records/form/form-context'
import type { Values } from '@/records/form/paths'
import type { ResourceForm, Versioned } from '@/records/form/useResourceForm'
import { format } from '@/ui/format'

interface Props<R extends Versioned, V extends Values> {
  form: ResourceForm<R, V>
  saved: { updated_at: string | null; updated_by: Named | null } | null
  /** The text before the first save. */
  never: string
}

/** The state of the form: not saved because of a problem, changes not saved yet, never saved (`never`), or when and by whom it was saved. */
export function SaveNote<R extends Versioned, V extends Values>({ form, saved, never }: Props<R, V>) {
  const { t } = useTranslation('roadbook')
  const typed = useDirtyCount(form.store) > 0
  const text = () => {
    if (form.problem !== null) return t('notSaved')
    if (typed) return t('unsaved')
    if (saved === null || saved.updated_at === null) return never
    const when = format.instant(saved.updated_at)
    return saved.updated_by === null ? t('savedOn', { when }) : t('savedAt', { when, by: saved.updated_by.name })
  }
  return <span className="small muted">{text()}</span>
}
