import { useTranslation } from '@/i18n'
import { Card } from '@/ui/Card'
import { CustomInputs } from '@/records/custom-fields/CustomInputs'
import { HiddenValues } from '@/records/custom-fields/HiddenValues'
import { useCustomFields } from '@/records/custom-fields/useCustomList'
import { useSheet } from '../context'
import { useShown } from '../Shown'

/** The custom fields of the parcours' white-label, and the names of those whose stored value is not shown. */
export function CustomCard() {
  const { t } = useTranslation('sheet')
  const { parcours } = useSheet()
  const fields = useCustomFields(parcours.custom === undefined ? undefined : parcours.white_label.id, 'parcours')
  const shown = useShown(['custom'])
  // People of other tenants get no custom values.
  const hidden = parcours.custom === undefined ? [] : parcours.custom_hidden
  const withInputs = fields.length > 0 && (shown || fields.some(({ required }) => required))
  if (!withInputs && hidden.length === 0) return null
  return (
    <Card title={t('custom.title', { name: parcours.white_label.name })}>
      {withInputs && <CustomInputs fields={fields} />}
      <HiddenValues keys={hidden} fields={fields} />
    </Card>
  )
}
