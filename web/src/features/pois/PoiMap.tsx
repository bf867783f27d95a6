import { useTranslation } from '@/i18n'
import { RecordsMap, type RecordsMapProps } from '@/ui/list/RecordsMap'
import { base } from './base'

/** The points of the list on the ground. */
export default function PoiMap(props: RecordsMapProps) {
  const { t } = useTranslation('pois')
  return (
    <RecordsMap
      {...props}
      queryKey="poi"
      path={`${base}/map`}
      pageOf={(id) => `/pois/${id}`}
      label={t('map.label')}
      openLabel={(title) => t('map.open', { title })}
      clusterLabel={(count) => t('map.cluster', { count })}
    />
  )
}
