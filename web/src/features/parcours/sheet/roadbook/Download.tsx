import { useTranslation } from '@/i18n'
import { useDirtyCount } from '@/records/form/form-context'
import type { FormStore } from '@/records/form/store'
import { useSheet } from '../context'
import { PrintButton } from './PrintButton'
import type { RoadbookValues } from './values'

/** The PDF of the saved roadbook: unsaved changes would not be on it. */
export function Download({ store }: { store: FormStore<RoadbookValues> }) {
  const { t } = useTranslation('roadbook')
  const { form } = useSheet()
  const typed = useDirtyCount(store) + useDirtyCount(form.store) > 0
  return <PrintButton disabledReason={typed ? t('download.saveFirst') : undefined}>{t('download.pdf')}</PrintButton>
}
