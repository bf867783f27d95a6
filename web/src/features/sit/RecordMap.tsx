import { useTranslation } from '@/i18n'
import { RecordsMap, type RecordsMapProps } from '@/ui/list/RecordsMap'
import { records } from './data'

/** The records of the list on the ground. */
export default function RecordMap(props: RecordsMapProps) {
  const { t } = useTranslation('sit')
  return (
    <RecordsMap
      {...props}
      queryKey="sit"
      path={`${records}/map`}
      pageOf={(id) => `/settings/pois-sit/fr/${id}`}
      label={t('map.label')}
      openLabel={(title) => t('map.open', { title })}
      clusterLabel={(count) => t('map.cluster', { count })}
    />
  )
}
