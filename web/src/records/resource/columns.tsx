import type { ReactNode } from 'react'
import type { CatalogueRecord } from '@/api/resource'
import { translate, useTranslation } from '@/i18n'
import type { Area } from '@/i18n/resources'
import { format } from '@/ui/format'
import type { Column } from '@/records/list/ResourceList'
import { blank, RowLink } from '@/records/list/ResourceList'
import { labelOf, type ListDef } from './define'
import classes from './resource.module.css'

type Row = { id: number; version: number }

/** The first column: the name that opens the record, its picture before it, its facts under it. */
export function nameColumn<R extends CatalogueRecord, L extends Row>(
  def: ListDef<R, L>,
  {
    name = 'name',
    picture,
    facts,
  }: { /** Which field is its name. */ name?: string; picture?: (row: L) => ReactNode; facts?: (row: L) => ReactNode } = {},
): Column<L> {
  return {
    key: 'name',
    header: labelOf(def.area, name),
    // Every list of the server is ordered by the name of its records under this word.
    sort: 'title',
    phone: 'main',
    render: (row) => (
      <div className={classes['nameCell']}>
        {picture?.(row)}
        <span>
          <RowLink link={{ to: def.placeOf(row.id) }} title={def.titleOf(row)}>
            <span className="clamp2">{def.titleOf(row)}</span>
          </RowLink>
          {facts && <span className="small muted">{facts(row)}</span>}
        </span>
      </div>
    ),
  }
}

/** A column of plain words. */
export function textColumn<L extends Row>(area: Area, key: keyof L & string, width?: string, sort?: string): Column<L> {
  return {
    key,
    header: labelOf(area, key),
    ...(width === undefined ? {} : { width }),
    ...(sort === undefined ? {} : { sort }),
    phone: 'aside',
    render: (row) => {
      const value = row[key]
      return typeof value === 'string' && value !== '' ? value : blank
    },
  }
}

/** When it was changed last. */
export function updatedColumn<L extends Row & { updated_at?: string }>(): Column<L> {
  return {
    key: 'updated_at',
    header: translate('resource:updated'),
    sort: 'updated_at',
    width: '120px',
    phone: 'hidden',
    render: ({ updated_at: at }) => (at === undefined ? blank : <span title={format.instant(at)}>{format.ago(at)}</span>),
  }
}

/** By name, and what changed last. */
export function useBasicSorts() {
  const { t } = useTranslation('resource')
  return [
    { value: 'title', label: t('sort.name') },
    { value: '-updated_at', label: t('sort.updated') },
  ]
}
