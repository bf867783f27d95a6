import type { CustomField } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Banner } from '@/ui/feedback/Banner'
import { format, textOf } from '@/ui/format'

/** Says which custom fields have a stored value that is not shown: the field was removed, or no longer takes the value. */
export function HiddenValues({ keys, fields }: { keys: readonly string[]; fields: readonly CustomField[] }) {
  const { t } = useTranslation()
  if (keys.length === 0) return null
  const names = keys.map((key) => textOf(fields.find((field) => field.key === key)?.label ?? {}, key))
  return <Banner>{t('form.customHidden', { count: keys.length, names: format.list(names) })}</Banner>
}
