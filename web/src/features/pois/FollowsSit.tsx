import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Poi } from '@/api/types'
import { api, unwrap } from '@/api/client'
import { useTranslation } from '@/i18n'
import { Banner } from '@/ui/feedback/Banner'
import { textOf } from '@/ui/format'

/** The tourist record that a point follows, with its owner and its licence. */
export function FollowsSit({ record }: { record: Poi }) {
  const { t } = useTranslation('pois')
  const { data } = useQuery({
    queryKey: ['poi', record.id, 'sit'],
    queryFn: () => unwrap(api.GET('/api/v1/sit-records', { params: { query: { poi: record.id } } })),
    enabled: record.mine,
  })
  const found = data?.items[0]
  if (found === undefined) return null
  return (
    <Banner tone="info">
      {t('sit.follows', { title: textOf(found.title), source: found.source.name })}{' '}
      {found.source.licence !== null && `${t('sit.licence', { licence: found.source.licence })} `}
      <Link to="/settings/pois-sit/$lng/$id" params={{ lng: 'fr', id: String(found.id) }}>
        {t('sit.open')}
      </Link>
    </Banner>
  )
}
