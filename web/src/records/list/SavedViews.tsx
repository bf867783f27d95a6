import IconBookmark from '@tabler/icons-react/dist/esm/icons/IconBookmarkPlus.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '@/api/client'
import type { SavedView } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Button, IconButton } from '@/ui/button/Button'
import { lazyDialog } from '@/ui/dialog/lazy-dialog'
import { toast, toastError } from '@/ui/feedback/toast'
import { MenuButton } from '@/ui/menu/MenuButton'
import { prefetch } from '@/ui/prefetch'
import { problemText } from '@/records/problem-text'
import { Tabs } from '@/ui/Tabs'
import { columnsParam, type ColumnControl } from './ColumnChoice'
import type { ListControl } from './useListState'

const NameViewDialog = lazyDialog(prefetch(() => import('./NameViewDialog')))
const ConfirmDialog = lazyDialog(prefetch(async () => ({ default: (await import('@/ui/dialog/ConfirmDialog')).ConfirmDialog })))

const savedViews = (resource: string) =>
  queryOptions({
    queryKey: ['saved-views', resource],
    queryFn: () => unwrap(api.GET('/api/v1/saved-views', { params: { query: { resource } } })).then(({ items }) => items),
    staleTime: 60_000,
  })

/** The query that a view saves: search, filters and order, sorted by name. */
function queryOf(list: ListControl): string {
  const entries = Object.entries({ search: list.search, ...list.filters, sort: list.sort }).filter(([, value]) => value !== '')
  return new URLSearchParams(entries.toSorted(([a], [b]) => a.localeCompare(b))).toString()
}

/** A view that a list has from the start. */
export interface FixedView {
  key: string
  label: string
  filters: Record<string, string>
  /** The number of its records, whatever the filters of the list. */
  count?: string | undefined
}

interface Props<R> {
  resource: string
  path: string
  list: ListControl
  columns: ColumnControl<R>
  /** Shown before the saved views; by default one view of all records. */
  fixed?: readonly FixedView[]
}

const sameFilters = (list: ListControl, filters: Record<string, string>): boolean => {
  const names = Object.keys(filters)
  return (
    list.search === '' && names.length === Object.keys(list.filters).length && names.every((name) => list.filters[name] === filters[name])
  )
}

/**
 * The fixed and the saved views of a list (filters, order and columns), as tabs. What the list shows now can be saved as a view; a saved view of
 * one’s own can be renamed and deleted.
 */
export function SavedViews<R>({ resource, path, list, columns, fixed }: Props<R>) {
  const { t } = useTranslation()
  const cache = useQueryClient()
  const views = useQuery(savedViews(resource)).data ?? []
  /** The view whose name is asked for, `new` for what the list shows. */
  const [naming, setNaming] = useState<SavedView | 'new' | null>(null)
  const [dropping, setDropping] = useState<SavedView | null>(null)
  /** The pressed button disappears with the deleted view, or when the new view is shown: the focus moves to a tab. */
  const [focused, setFocused] = useState<string>()
  const now = queryOf(list)
  const fixedViews = fixed ?? [{ key: 'all', label: t('list.allOfThem'), filters: {} }]
  const currentFixed = fixedViews.find(({ filters }) => sameFilters(list, filters))
  const current = currentFixed === undefined ? views.find(({ query }) => sameView(query, now)) : undefined
  const remove = useMutation({
    mutationFn: (view: SavedView) => unwrap(api.DELETE('/api/v1/saved-views/{id}', { params: { path: { id: view.id } } })),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: ['saved-views', resource] })
      toast({ text: t('list.viewDropped') })
      setDropping(null)
      setFocused(fixedViews[0]?.key)
    },
    onError: (error) => toastError(problemText(error)),
  })
  if (fixed === undefined && views.length === 0 && list.filterCount === 0) return null
  return (
    <>
      <Tabs
        label={t('list.views')}
        focused={focused}
        onFocused={() => setFocused(undefined)}
        tabs={[
          ...fixedViews.map(({ key, label, filters, count }) => ({
            key,
            label,
            count,
            current: key === currentFixed?.key,
            link: { to: path, search: filters },
          })),
          ...views.map((view) => ({
            key: String(view.id),
            label: view.name,
            current: view === current,
            link: {
              to: path,
              search: {
                ...Object.fromEntries(new URLSearchParams(view.query)),
                ...(view.columns.length > 0 ? { [columnsParam]: view.columns.join(',') } : {}),
              },
            },
          })),
        ]}
      >
        {current === undefined && (fixed !== undefined || list.filterCount > 0) && (
          <Button
            size="small"
            look="ghost"
            disabledReason={list.filterCount === 0 ? t('list.filterFirst') : currentFixed === undefined ? undefined : t('list.viewThere')}
            icon={<IconBookmark size={16} stroke={1.75} aria-hidden />}
            onClick={() => setNaming('new')}
          >
            {t('list.keepView')}
          </Button>
        )}
        {current?.mine === true && (
          <MenuButton
            position="bottom-start"
            zIndex={150}
            button={
              <IconButton
                size="small"
                look="ghost"
                label={t('list.viewActions', { name: current.name })}
                icon={<IconDots size={16} stroke={2} aria-hidden />}
              />
            }
            entries={() => [
              { label: t('list.renameView'), onSelect: () => setNaming(current) },
              { label: t('list.dropView'), onSelect: () => (current.shared ? setDropping(current) : remove.mutate(current)) },
            ]}
          />
        )}
      </Tabs>
      {naming !== null && (
        <NameViewDialog
          view={naming === 'new' ? null : naming}
          resource={resource}
          query={now}
          columns={columns.shown}
          onClose={() => setNaming(null)}
          onSaved={({ id }) => setFocused(String(id))}
        />
      )}
      {dropping !== null && (
        <ConfirmDialog
          opened
          danger
          onClose={() => setDropping(null)}
          title={t('list.dropView')}
          confirm={t('list.dropView')}
          onConfirm={() => remove.mutateAsync(dropping).catch(() => undefined)}
        >
          <p>{t('list.dropShared')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Whether a saved query, in any order of its parameters, is the query `b` of `queryOf`. */
const sameView = (a: string, b: string) =>
  new URLSearchParams([...new URLSearchParams(a)].toSorted(([x], [y]) => x.localeCompare(y))).toString() === b
