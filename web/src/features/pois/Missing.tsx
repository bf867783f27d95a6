import type { Poi } from '@/api/types'
import { textFor, useTranslation } from '@/i18n'
import { Banner } from '@/ui/feedback/Banner'
import { format } from '@/ui/format'
import { labelOf } from '@/records/resource/define'

/** The missing values that visitors need. */
export function Missing({ record }: { record: Poi }) {
  const { t } = useTranslation('pois')
  if (record.missing.length === 0 || !record.mine) return null
  return (
    <Banner tone="warn">
      {t('missing.these', { what: format.list(record.missing.map((what) => textFor(`pois:missing.${what}`) ?? labelOf('pois', what))) })}
    </Banner>
  )
}
