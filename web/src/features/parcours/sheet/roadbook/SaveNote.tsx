import { useTranslation } from '@/i18n'
import type { Roadbook } from '@/api/model'
import { useDirtyCount } from '@/ui/form/form-context'
import type { ResourceForm } from '@/ui/form/useResourceForm'
import { format } from '@/ui/format'
import type { RoadbookValues } from './values'

/** When the roadbook was saved: said only while what is shown is what is saved. */
export function SaveNote({ form, roadbook }: { form: ResourceForm<Roadbook, RoadbookValues>; roadbook: Roadbook }) {
  const { t } = useTranslation('roadbook')
  const typed = useDirtyCount(form.store) > 0
  const text = () => {
    if (form.problem !== null) return t('notSaved')
    if (typed) return t('unsaved')
    if (roadbook.updated_at === null) return t('neverSaved')
    const when = format.instant(roadbook.updated_at)
    return roadbook.updated_by === null ? t('savedOn', { when }) : t('savedAt', { when, by: roadbook.updated_by.name })
  }
  return <span className="small muted">{text()}</span>
}
