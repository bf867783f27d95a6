import { useTranslation } from '@/i18n'
import { Card } from '@/ui/Card'
import { CustomInputs } from '@/records/custom-fields/CustomInputs'
import { useCustomFields } from '@/records/custom-fields/useCustomList'
import { useSheet } from '../context'
import { useShown } from '../Shown'

/** The custom fields of the parcours' white-label. */
export function CustomCard() {
  const { t } = useTranslation('sheet')
  const { parcours } = useSheet()
  const fields = useCustomFields(parcours.custom === undefined ? undefined : parcours.white_label.id, 'parcours')
  const shown = useShown(['custom'])
  if (fields.length === 0 || !(shown || fields.some(({ required }) => required))) return null
  return (
    <Card title={t('custom.title', { name: parcours.white_label.name })}>
      <CustomInputs fields={fields} />
    </Card>
  )
}
