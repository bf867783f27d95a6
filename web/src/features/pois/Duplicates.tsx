import { useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, unwrap } from '@/api/client'
import { resourceApi } from '@/api/resource'
import type { Poi } from '@/api/types'
import { useCan } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { lazyDialog } from '@/ui/dialog/lazy-dialog'
import { Banner } from '@/ui/feedback/Banner'
import { format, textOf } from '@/ui/format'
import { useDirtyCount, useForm } from '@/records/form/form-context'
import { base } from './base'

const MergeDialog = lazyDialog(() => import('@/records/resource/MergeDialog'))

/** What tells points of one name apart: number, town and how often each is used, once this is known. */
function useFacts(pois: readonly Poi[]): (poi: Poi) => string {
  const { t } = useTranslation('resource')
  const uses = useQueries({
    queries: pois.map(({ id }) => ({ queryKey: ['poi', id, 'uses'], queryFn: () => resourceApi(base).uses(id), staleTime: 0 })),
  })
  return (poi) => {
    const total = uses[pois.indexOf(poi)]?.data?.total
    const facts = [
      t('merge.number', { id: poi.id }),
      poi.address.city,
      total === undefined ? null : total === 0 ? t('merge.unused') : t('merge.used', { count: total, total: format.number(total) }),
    ]
    return facts.filter(Boolean).join(', ')
  }
}

/** Another point of the same name less than 100 m away: merge them, every link follows. */
export function Duplicates({ record }: { record: Poi }) {
  const { t } = useTranslation('pois')
  const may = useCan('content.write') && record.editable
  const unsaved = useDirtyCount(useForm()) > 0
  const [merging, setMerging] = useState(false)
  const found = useQuery({
    queryKey: ['poi', record.id, 'duplicates', record.version],
    queryFn: () =>
      unwrap(api.GET('/api/v1/pois/{id}/duplicates', { params: { path: { id: record.id } } })).then(({ items }) =>
        items.map(({ poi }) => poi),
      ),
    // A save of this very point asks again: what is open stays meanwhile.
    placeholderData: (before, query) => (query?.queryKey[1] === record.id ? before : undefined),
  })
  const others = found.data ?? []
  // A point that the user may not change can neither go to the bin nor take the links of another.
  const mergeable = others.filter(({ editable }) => editable)
  const canMerge = may && mergeable.length > 0
  const [first] = others
  if (first === undefined) return null
  return (
    <>
      <Banner
        tone="info"
        actions={
          canMerge && (
            <Button size="small" disabledReason={unsaved ? t('resource:merge.saveFirst') : undefined} onClick={() => setMerging(true)}>
              {t('resource:merge.action')}
            </Button>
          )
        }
      >
        {t('duplicates', { count: others.length, title: textOf(first.title) })}
      </Banner>
      {merging && canMerge && <Merge record={record} others={mergeable} onClose={() => setMerging(false)} />}
    </>
  )
}

function Merge({ record, others, onClose }: { record: Poi; others: readonly Poi[]; onClose: () => void }) {
  const navigate = useNavigate()
  const { t } = useTranslation('resource')
  const factsOf = useFacts([record, ...others])
  const mergeable = ({ id, version, title }: Poi) => ({
    id,
    version,
    title: t('merge.name', { title: textOf(title), facts: t('merge.number', { id }) }),
  })
  return (
    <MergeDialog
      base={base}
      queryKey={['poi']}
      record={mergeable(record)}
      choices={[...others, record].map((poi) => {
        const facts = factsOf(poi)
        return { value: String(poi.id), label: t('merge.name', { title: textOf(poi.title), facts }), facts }
      })}
      others={others.map(mergeable)}
      {...(others[0] && { into: others[0].id })}
      onClose={onClose}
      onMerged={(into) => {
        // Nothing is unsaved: the button that opens the dialog sees to it.
        if (into === record.id) return undefined
        return navigate({ to: '/pois/$id', params: { id: String(into) }, ignoreBlocker: true })
      }}
    />
  )
}
