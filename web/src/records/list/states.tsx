import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { format } from '@/ui/format'
import classes from './ResourceList.module.css'
import { chipText, type FilterDef } from './filters'
import type { ListControl } from './useListState'

/** The rows of a list that is loading. */
export function LoadingRows({ label }: { label: string }) {
  const { t } = useTranslation()
  return (
    <div className={classes['frame']} aria-busy="true">
      <p className="visually-hidden" role="status">
        {t('loadingOf', { what: label })}
      </p>
      {Array.from({ length: 8 }, (_, row) => (
        <div key={row} className={classes['bones']} aria-hidden="true">
          <Skeleton height={40} width={40} radius="var(--r-2)" />
          <span className="grow">
            <Skeleton width={`${58 - (row % 3) * 9}%`} />
            <span style={{ display: 'block', height: 8 }} />
            <Skeleton width={`${34 - (row % 4) * 4}%`} height={9} />
          </span>
          <Skeleton width={88} />
        </div>
      ))}
    </div>
  )
}

interface NothingLeftProps {
  label: string
  list: ListControl
  filters?: readonly FilterDef[]
  /** How many records there would be without each filter, by its key. */
  without?: Partial<Record<string, number>>
}

/** The filters left no record: each of them can be removed here. */
export function NothingLeft({ list, filters = [], without = {}, label }: NothingLeftProps) {
  const { t } = useTranslation()
  const on = filters.flatMap((filter) => {
    const value = list.filters[filter.key]
    return value === undefined ? [] : [{ key: filter.key, words: chipText(filter, value) }]
  })
  const results = (key: string) =>
    without[key] === undefined ? null : <span>{t('list.results', { count: without[key], total: format.number(without[key]) })}</span>
  return (
    <div className={classes['nothing']} role="status">
      <h2>{t('list.nothing', { count: list.filterCount, what: label })}</h2>
      {list.filterCount > 1 && <p className="muted small">{t('list.removeOne')}</p>}
      {list.search !== '' && (
        <button type="button" onClick={() => list.setSearch('')}>
          {t('list.removeSearch', { words: list.search })} {results('search')}
        </button>
      )}
      {on.map(({ key, words }) => (
        <button key={key} type="button" onClick={() => list.setFilter(key, undefined)}>
          {t('list.removeFilter', { filter: words })} {results(key)}
        </button>
      ))}
      <Button look="link" onClick={list.clear}>
        {t('list.clearFilters')}
      </Button>
    </div>
  )
}

/** The page of the address comes after the last one. */
export function PastTheEnd({ list }: { list: ListControl }) {
  const { t } = useTranslation()
  return (
    <div className={classes['nothing']} role="status">
      <h2>{t('list.pastEnd', { page: list.page })}</h2>
      <Button onClick={() => list.setPage(1)}>{t('list.firstPage')}</Button>
    </div>
  )
}
