import { Menu } from '@mantine/core'
import IconDotsVertical from '@tabler/icons-react/dist/esm/icons/IconDotsVertical.mjs'
import IconGripVertical from '@tabler/icons-react/dist/esm/icons/IconGripVertical.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState, type KeyboardEvent } from 'react'
import type { VocabularyItem, VocabularyKind } from '@/api/types'
import { api, unwrap } from '@/api/client'
import { type CatalogueRecord } from '@/api/resource'
import { useCan } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Button, IconButton } from '@/ui/button/Button'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { lazyDialog } from '@/ui/dialog/lazy-dialog'
import { Banner } from '@/ui/feedback/Banner'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { toastError } from '@/ui/feedback/toast'
import { circleStarts, vocabularyUsesQuery } from '@/records/form/vocabulary'
import { format, textOf } from '@/ui/format'
import { moved } from '@/ui/list/order'
import { passFocusOn } from '@/ui/list/row-focus'
import { useRowDrag } from '@/ui/list/useRowDrag'
import { MenuItem } from '@/ui/menu/MenuItem'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { problemText } from '@/records/problem-text'
import { newOf, type ResourceDef } from '@/records/resource/define'
import { matching, replacementsOf, siblingsOf } from './branch'
import { itemIcons } from './icons'
import classes from './tree.module.css'

const RecordDelete = lazyDialog(() => import('@/records/resource/RecordDelete'))
const MergeDialog = lazyDialog(() => import('@/records/resource/MergeDialog'))

type Item = VocabularyItem & CatalogueRecord
const nameOf = ({ label, code }: VocabularyItem) => textOf(label, code)

/** A reference list as the tree it is: order by drag and by keyboard, merge, delete. */
export function TreePage({ def, kind }: { def: ResourceDef<Item>; kind: VocabularyKind }) {
  const { t } = useTranslation('settings')
  const { t: tr } = useTranslation('resource')
  const title = tr(`entity.${kind}.many`)
  usePageMeta([{ label: tr('group.settings'), link: { to: '/settings' } }, { label: title }])
  const items = useSuspenseQuery(vocabularyUsesQuery(kind)).data
  const may = useCan(def.may)
  const [search, setSearch] = useState('')
  const { order, announcement } = useOrder(kind, items)
  const shown = matching(items, search, nameOf)
  const create = may ? (
    <ButtonLink look="primary" to={newOf(def)} icon={<IconPlus size={18} stroke={1.75} aria-hidden />}>
      {tr(`entity.${kind}.new`)}
    </ButtonLink>
  ) : (
    <Button look="primary" disabledReason={tr('notAllowed')}>
      {tr(`entity.${kind}.new`)}
    </Button>
  )
  const circles = circleStarts(items)
  const under = (parent: number | null) => siblingsOf(shown, parent).filter(({ id }) => !circles.has(id))
  const opened = shown.filter(({ id }) => circles.has(id))
  const branch = (siblings: readonly VocabularyItem[], depth: number, movable: boolean) => {
    if (siblings.length === 0) return null
    return (
      <ul className={classes['branch']} data-depth={depth}>
        {siblings.map((item, index) => (
          <Leaf
            key={item.id}
            def={def}
            item={item}
            items={items}
            may={may}
            movable={movable}
            index={index}
            count={siblings.length}
            onMove={(to) => order(siblings, index, to)}
            onTake={(from) => order(siblings, from, index)}
          >
            {branch(under(item.id), depth + 1, may && search === '')}
          </Leaf>
        ))}
      </ul>
    )
  }
  return (
    <div className={classes['page']}>
      <PageHeader
        title={title}
        facts={tr('common:list.count', { count: items.length, total: format.number(items.length) })}
        actions={items.length > 0 && create}
      />
      <div className={classes['body']}>
        <label className={classes['search']}>
          <IconSearch size={16} stroke={1.75} aria-hidden />
          <span className="visually-hidden">{tr(`entity.${kind}.search`)}</span>
          <input
            type="search"
            placeholder={tr(`entity.${kind}.search`)}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </label>
        {may && items.length > 1 && <p className="small muted">{t('tree.hint')}</p>}
        <p className="visually-hidden" role="status">
          {announcement}
        </p>
        {items.length === 0 && <EmptyState title={tr(`entity.${kind}.none`)} text={tr(`entity.${kind}.noneText`)} actions={create} />}
        {items.length > 0 && shown.length === 0 && <p className={classes['nothing']}>{t('tree.nothing', { words: search })}</p>}
        {branch(under(null), 0, may && search === '')}
        {opened.length > 0 && <Banner tone="warn">{t('tree.circle')}</Banner>}
        {branch(opened, 0, false)}
      </div>
    </div>
  )
}

/** Reorder siblings: shown at once, sent to the server, reverted when it refuses. */
function useOrder(kind: VocabularyKind, items: readonly VocabularyItem[]) {
  const { t } = useTranslation('settings')
  const cache = useQueryClient()
  const [announcement, announce] = useState('')
  const { queryKey } = vocabularyUsesQuery(kind)
  const send = useMutation({
    mutationFn: (ids: number[]) => unwrap(api.PUT('/api/v1/vocabularies/{kind}/order', { params: { path: { kind } }, body: { ids } })),
    onError: (error) => toastError(t('resource:because', { what: t('tree.notMoved'), why: problemText(error) })),
    onSettled: () => cache.invalidateQueries({ queryKey: ['vocabulary', kind] }),
  })
  const order = (siblings: readonly VocabularyItem[], from: number, to: number) => {
    const item = siblings[from]
    if (item === undefined || to < 0 || to >= siblings.length || to === from) return
    const next = moved(siblings, from, to)
    cache.setQueryData(
      queryKey,
      items.map((item) => ({
        ...item,
        order: next.some(({ id }) => id === item.id) ? next.findIndex(({ id }) => id === item.id) + 1 : item.order,
      })),
    )
    announce(t('tree.moved', { name: nameOf(item), place: to + 1, total: siblings.length }))
    send.mutate(next.map(({ id }) => id))
  }
  return { order, announcement }
}

interface LeafProps {
  def: ResourceDef<Item>
  item: VocabularyItem
  items: readonly VocabularyItem[]
  may: boolean
  /** A search hides siblings: the order is changed without one. */
  movable: boolean
  index: number
  count: number
  onMove: (to: number) => void
  /** A sibling was dropped here: it takes this place. */
  onTake: (from: number) => void
  children: React.ReactNode
}

/** One item and the items under it. */
function Leaf({ def, item, items, may, movable, index, count, onMove, onTake, children }: LeafProps) {
  const { t } = useTranslation('settings')
  const name = nameOf(item)
  const Mark = item.icon !== null && Object.hasOwn(itemIcons, item.icon) ? itemIcons[item.icon] : undefined
  // Only among siblings: another parent is chosen in the item's own form.
  const { row, grip, over } = useRowDrag<HTMLDivElement, HTMLButtonElement>(`${def.kind} ${item.parent_id ?? ''}`, index, !movable, onTake)
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    onMove(event.key === 'ArrowUp' ? index - 1 : index + 1)
  }
  return (
    <li ref={passFocusOn}>
      <div className={classes['row']} ref={row} data-over={over || undefined}>
        {movable && (
          <button
            ref={grip}
            type="button"
            className={classes['grip']}
            aria-label={t('tree.grip', { name, place: index + 1, total: count })}
            title={t('tree.gripHint')}
            onKeyDown={onKey}
          >
            <IconGripVertical size={16} stroke={1.75} aria-hidden />
          </button>
        )}
        {item.color !== null && <span className={classes['color']} style={{ background: item.color }} aria-hidden="true" />}
        {Mark !== undefined && <Mark size={18} stroke={1.75} aria-hidden className={classes['icon']} />}
        <Link to={def.placeOf(item.id)} className={classes['name']}>
          {name}
        </Link>
        <span className="small faint">{item.code}</span>
        {item.uses_total !== undefined && (
          <span className={classes['uses']}>{t('tree.uses', { count: item.uses_total, total: format.number(item.uses_total) })}</span>
        )}
        <span className={classes['menu']}>
          <LeafMenu
            def={def}
            item={item}
            items={items}
            may={may}
            onUp={movable && index > 0 ? () => onMove(index - 1) : undefined}
            onDown={movable && index < count - 1 ? () => onMove(index + 1) : undefined}
          />
        </span>
      </div>
      {children}
    </li>
  )
}

function LeafMenu({
  def,
  item,
  items,
  may,
  onUp,
  onDown,
}: {
  def: ResourceDef<Item>
  item: VocabularyItem
  items: readonly VocabularyItem[]
  may: boolean
  onUp: (() => void) | undefined
  onDown: (() => void) | undefined
}) {
  const { t } = useTranslation('settings')
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'merge' | 'delete' | null>(null)
  const name = nameOf(item)
  const reason = may ? undefined : t('resource:notAllowed')
  const close = () => setDialog(null)
  return (
    <>
      <Menu position="bottom-end" shadow="md" zIndex={150}>
        <Menu.Target>
          <IconButton
            size="small"
            look="ghost"
            label={t('resource:menuOf', { title: name })}
            icon={<IconDotsVertical size={18} stroke={1.75} aria-hidden />}
          />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void navigate({ to: def.placeOf(item.id) })}>{t('resource:open')}</Menu.Item>
          <MenuItem reason={reason} disabled={onUp === undefined} onClick={onUp}>
            {t('tree.up')}
          </MenuItem>
          <MenuItem reason={reason} disabled={onDown === undefined} onClick={onDown}>
            {t('tree.down')}
          </MenuItem>
          <MenuItem reason={reason} onClick={() => setDialog('merge')}>
            {t('resource:merge.action')}
          </MenuItem>
          <MenuItem reason={reason} onClick={() => setDialog('delete')}>
            {t('resource:deleteMore')}
          </MenuItem>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'merge' && (
        <MergeDialog
          base={def.base}
          queryKey={def.queryKey}
          record={{ id: item.id, version: item.version, title: name }}
          choices={replacementsOf(items, item)}
          onClose={close}
        />
      )}
      {dialog === 'delete' && (
        <RecordDelete
          base={def.base}
          queryKey={def.queryKey}
          record={item}
          title={name}
          asksUses
          choices={replacementsOf(items, item)}
          onClose={close}
        />
      )}
    </>
  )
}
