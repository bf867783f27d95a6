import { api, unwrap } from '@/api/client'
import { useTranslation } from '@/i18n'
import { RecordsMap, type RecordsMapProps } from '@/records/list/RecordsMap'

/** The map beside the list of SIT records. */
export default function RecordMap(props: RecordsMapProps) {
  const { t } = useTranslation('sit')
  return (
    <RecordsMap
      {...props}
      queryKey="sit"
      read={(query) => unwrap(api.GET('/api/v1/sit-records/map', { params: { query } }))}
      pageOf={(id) => `/settings/pois-sit/fr/${id}`}
      label={t('map.label')}
      openLabel={(title) => t('map.open', { title })}
      clusterLabel={(count) => t('map.cluster', { count })}
    />
  )
}
