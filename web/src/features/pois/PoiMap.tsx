import { api, unwrap } from '@/api/client'
import { useTranslation } from '@/i18n'
import { RecordsMap, type RecordsMapProps } from '@/records/list/RecordsMap'

/** The map beside the list of POIs. */
export default function PoiMap(props: RecordsMapProps) {
  const { t } = useTranslation('pois')
  return (
    <RecordsMap
      {...props}
      queryKey="poi"
      read={(query) => unwrap(api.GET('/api/v1/pois/map', { params: { query } }))}
      pageOf={(id) => `/pois/${id}`}
      label={t('map.label')}
      openLabel={(title) => t('map.open', { title })}
      clusterLabel={(count) => t('map.cluster', { count })}
    />
  )
}
