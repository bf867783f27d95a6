import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { Button, IconButton } from '@/ui/button/Button'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { Banner } from '@/ui/feedback/Banner'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { toast, toastError } from '@/ui/feedback/toast'
import { Field } from '@/ui/field/Field'
import { SelectInput, TextInput } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { useDebouncedText } from '@/ui/field/useDebouncedText'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { problemText } from '@/records/problem-text'
import { PickOne } from '@/records/picker/lazy-pickers'
import { FeedActions, Validity } from './FeedRun'
import { LineFound } from './LineFound'
import { addLines, lineFilterKeys, feedQuery, linesQuery, PER_PAGE, refresh, runsQuery, type LineFilters } from './transport'
import classes from './transport.module.css'

export { texts } from './transport'

const modes = ['rail', 'tram', 'metro', 'bus', 'coach', 'ferry', 'cable', 'gondola', 'funicular', 'other'] as const
const bikes = ['yes', 'conditions', 'no', 'unknown'] as const
const radii = [300, 500, 1000, 2000, 5000] as const

const pick = (search: Record<string, string | undefined>): LineFilters =>
  Object.fromEntries(lineFilterKeys.filter((key) => search[key] !== undefined && search[key] !== '').map((key) => [key, search[key]]))

export async function load({
  queryClient,
  params,
  search,
}: {
  queryClient: QueryClient
  params: Record<string, string>
  search: Record<string, string>
}): Promise<void> {
  const id = Number(params['id'])
  void queryClient.prefetchQuery(linesQuery(id, pick(search)))
  await queryClient.ensureQueryData(feedQuery(id))
}

/** `/lignes/search/{id}`: the lines of a feed, found by words or near a parcours; those chosen join ours. */
export function Page() {
  const { t } = useTranslation('transport')
  const id = Number(useParams({ strict: false }).id)
  const query = pick(useSearch({ strict: false }))
  const navigate = useNavigate()
  const feed = useQuery(feedQuery(id)).data
  const run = useQuery(runsQuery(id)).data?.items[0]
  const { data, error } = useQuery(linesQuery(id, query))
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  usePageMeta([
    { label: t('lines'), link: { to: '/lignes' } },
    { label: t('title'), link: { to: '/lignes/flux' } },
    { label: feed?.name ?? '', link: { to: '/lignes/flux/$id', params: { id: String(id) } } },
    { label: t('find.title') },
  ])
  const ask = (patch: LineFilters) =>
    void navigate({ to: '.', search: pick({ ...query, page: undefined, ...patch }), replace: true, resetScroll: false })
  const free = (data?.items ?? []).filter(({ line_id: line }) => line === null)
  const toggle = (route: string) =>
    setTicked((before) => new Set(before.has(route) ? [...before].filter((one) => one !== route) : [...before, route]))
  return (
    <div className={classes['page']}>
      <PageHeader title={t('find.title')} facts={feed?.name} actions={<ButtonLink to="/lignes/flux">{t('find.change')}</ButtonLink>} />
      <div className={classes['body']}>
        <Validity edition={data?.edition ?? null} />
        <Filters query={query} operators={data?.operators ?? []} ask={ask} />
        {error && (
          <Banner tone="danger" live="alert">
            {problemText(error)}
          </Banner>
        )}
        {data === undefined && !error && <Skeleton height={240} />}
        {data?.edition === null && (
          <EmptyState title={t('find.notRead')} text={t('find.notReadText')} actions={<FeedActions feed={id} run={run} />} />
        )}
        {data?.edition != null && (
          <>
            <p className="small muted num" role="status">
              {t('find.count', { count: data.total, n: format.number(data.total) })}
            </p>
            {data.total === 0 && <EmptyState title={t('find.none')} text={t('find.noneText')} />}
            <ul className={classes['lines']} aria-label={t('find.label')}>
              {data.items.map((line) => (
                <LineFound key={line.route} feed={id} line={line} ticked={ticked.has(line.route)} onTick={() => toggle(line.route)} />
              ))}
            </ul>
            <div className={classes['foot']}>
              <Pages total={data.total} page={Number(query.page ?? 1)} onPage={(page) => ask({ page: String(page) })} />
              {free.length > 1 && (
                <Button size="small" look="ghost" onClick={() => setTicked(new Set([...ticked, ...free.map(({ route }) => route)]))}>
                  {t('find.all')}
                </Button>
              )}
              <Add feed={id} routes={[...ticked]} onAdded={() => setTicked(new Set())} />
            </div>
          </>
        )}
      </div>
    </div>
  )
}

function Add({ feed, routes, onAdded }: { feed: number; routes: string[]; onAdded: () => void }) {
  const { t } = useTranslation('transport')
  const cache = useQueryClient()
  const add = useMutation({
    mutationFn: () => addLines(feed, routes),
    onSuccess: async ({ items }) => {
      toast({ text: t('find.added', { count: items.filter(({ made }) => made).length }) })
      onAdded()
      await refresh(cache)
    },
    onError: (error) => toastError(problemText(error)),
  })
  return (
    <Button
      look="primary"
      busy={add.isPending}
      {...(routes.length === 0 ? { disabledReason: t('find.addNone') } : {})}
      onClick={() => add.mutate()}
    >
      {t('find.add', { count: routes.length })}
    </Button>
  )
}

function Pages({ total, page, onPage }: { total: number; page: number; onPage: (page: number) => void }) {
  const { t } = useTranslation('transport')
  const pages = Math.max(1, Math.ceil(total / PER_PAGE))
  if (pages === 1) return <span />
  return (
    <span className="row">
      <IconButton
        size="small"
        label={t('find.previous')}
        icon={<IconChevronLeft size={18} stroke={1.75} aria-hidden />}
        disabledReason={page === 1 ? t('find.first') : undefined}
        onClick={() => onPage(page - 1)}
      />
      <span className="num small">{t('find.page', { page: format.number(page), pages: format.number(pages) })}</span>
      <IconButton
        size="small"
        label={t('find.next')}
        icon={<IconChevronRight size={18} stroke={1.75} aria-hidden />}
        disabledReason={page === pages ? t('find.last') : undefined}
        onClick={() => onPage(page + 1)}
      />
    </span>
  )
}

function Filters({ query, operators, ask }: { query: LineFilters; operators: readonly string[]; ask: (patch: LineFilters) => void }) {
  const { t } = useTranslation('transport')
  const words = useDebouncedText(query.search ?? '', (search) => ask({ search }), 250)
  const any = { value: '', label: t('find.any') }
  return (
    <form className={classes['filters']} role="search" onSubmit={(event) => event.preventDefault()}>
      <Field label={t('find.words')}>{(wiring) => <TextInput {...wiring} {...words} type="search" />}</Field>
      <Field label={t('find.mode')}>
        {(wiring) => (
          <SelectInput
            {...wiring}
            value={query.mode ?? ''}
            onChange={(mode) => ask({ mode: mode ?? '' })}
            choices={[any, ...modes.map((value) => ({ value, label: t(`lines:mode.${value}`) }))]}
          />
        )}
      </Field>
      <Field label={t('find.bikes')}>
        {(wiring) => (
          <SelectInput
            {...wiring}
            value={query.bike_carriage ?? ''}
            onChange={(bike) => ask({ bike_carriage: bike ?? '' })}
            choices={[any, ...bikes.map((value) => ({ value, label: t(`lines:bike.${value}`) }))]}
          />
        )}
      </Field>
      <Field label={t('find.operator')}>
        {(wiring) => (
          <SelectInput
            {...wiring}
            value={query.operator ?? ''}
            onChange={(operator) => ask({ operator: operator ?? '' })}
            choices={[any, ...operators.map((value) => ({ value, label: value }))]}
          />
        )}
      </Field>
      <Field label={t('find.parcours')}>
        {(wiring) => (
          <PickOne
            wiring={wiring}
            base="/api/v1/parcours"
            queryKey={['parcours']}
            value={query.parcours === undefined ? null : Number(query.parcours)}
            onChange={(parcours) => ask({ parcours: parcours === null ? '' : String(parcours) })}
          />
        )}
      </Field>
      {query.parcours !== undefined && (
        <Field label={t('find.radius')}>
          {(wiring) => (
            <SelectInput
              {...wiring}
              value={query.radius_m ?? '1000'}
              onChange={(radius) => ask({ radius_m: radius ?? '' })}
              choices={radii.map((metres) => ({ value: String(metres), label: format.distance(metres) }))}
            />
          )}
        </Field>
      )}
    </form>
  )
}
