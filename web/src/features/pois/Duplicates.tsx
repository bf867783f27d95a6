import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { api, unwrap } from '@/api/client'
import type { Poi } from '@/api/types'
import { useCan } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { textOf } from '@/ui/format'
import { base } from './base'

const MergeDialog = lazy(() => import('@/records/resource/MergeDialog'))

/** Another point of the same name less than 100 m away: merge them, every link follows. */
export function Duplicates({ record }: { record: Poi }) {
  const { t } = useTranslation('pois')
  const may = useCan('content.write') && record.editable
  const navigate = useNavigate()
  const [merging, setMerging] = useState(false)
  const found = useQuery({
    queryKey: ['poi', record.id, 'duplicates', record.version],
    queryFn: () =>
      unwrap(api.GET('/api/v1/pois/{id}/duplicates', { params: { path: { id: record.id } } })).then(({ items }) =>
        items.map(({ poi }) => poi),
      ),
  })
  const others = found.data ?? []
  const [first] = others
  if (first === undefined) return null
  return (
    <>
      <Banner
        tone="info"
        actions={
          may && (
            <Button size="small" onClick={() => setMerging(true)}>
              {t('resource:merge.action')}
            </Button>
          )
        }
      >
        {t('duplicates', { count: others.length, title: textOf(first.title) })}
      </Banner>
      {merging && (
        <Suspense fallback={null}>
          <MergeDialog
            base={base}
            record={record}
            title={textOf(record.title)}
            choices={others.map(({ id, title }) => ({ value: String(id), label: `${textOf(title)} (${id})` }))}
            into={first.id}
            onClose={() => setMerging(false)}
            onMerged={(into) => void navigate({ to: '/pois/$id', params: { id: String(into) }, ignoreBlocker: true })}
          />
        </Suspense>
      )}
    </>
  )
}
