import { useContext, useState } from 'react'
import { useTranslation } from '@/i18n'
import type { RoadbookPage, RoadbookPageKind } from '@/api/types'
import { Card } from '@/ui/Card'
import { FieldError } from '@/ui/field/Field'
import { SelectInput } from '@/ui/field/inputs'
import { useField } from '@/records/form/form-context'
import { ReadOnlyContext } from '@/records/form/read-only'
import { textOf } from '@/ui/format'
import { moved } from '@/ui/list/order'
import { addable, added, mayMove, removable } from './pages'
import { PageOptions } from './PageOptions'
import { PageRow } from './PageRow'
import classes from './roadbook.module.css'

/** The pages in their order, and beside them what can be set of the chosen one. */
export function PagesCard() {
  const { t } = useTranslation('roadbook')
  const readOnly = useContext(ReadOnlyContext)
  const { value: pages, set, error } = useField<RoadbookPage[]>('pages')
  const [chosen, choose] = useState(0)
  const [announcement, announce] = useState('')
  const nameOf = (page: RoadbookPage) => textOf(page.title, t(`kind.${page.kind}`))
  const move = (from: number, to: number) => {
    const page = pages[from]
    if (page === undefined || !mayMove(pages, from, to)) return
    set(moved(pages, from, to))
    choose(to)
    announce(t('pages.moved', { name: nameOf(page), place: to + 1, count: pages.length }))
  }
  const add = (kind: RoadbookPageKind) => {
    const next = added(pages, kind)
    set(next.pages)
    choose(next.index)
    announce(t('pages.added', { name: t(`kind.${kind}`), place: next.index + 1 }))
  }
  const remove = (index: number) => {
    set(pages.toSpliced(index, 1))
    choose(Math.max(0, index - 1))
  }
  const page = pages[chosen]
  return (
    <Card title={t('pages.title')} flush>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      <div className={classes['pages']} data-field="pages">
        <div>
          {!readOnly && <p className={classes['hint']}>{t('pages.hint')}</p>}
          <ol className={classes['list']}>
            {pages.map((one, index) => (
              <PageRow
                // Two pages of a kind are distinguished by their place.
                key={`${one.kind}-${pages.slice(0, index).filter(({ kind }) => kind === one.kind).length}`}
                page={one}
                index={index}
                name={nameOf(one)}
                chosen={index === chosen}
                readOnly={readOnly}
                mayUp={mayMove(pages, index, index - 1)}
                mayDown={mayMove(pages, index, index + 1)}
                onChoose={() => choose(index)}
                onSwitch={(on) => set(pages.with(index, { ...one, on }))}
                onMove={(to) => move(index, to)}
                onTake={(from) => move(from, index)}
              />
            ))}
          </ol>
          {!readOnly && (
            <div className={classes['add']}>
              <SelectInput
                aria-label={t('pages.add')}
                value={null}
                empty={t('pages.add')}
                choices={addable(pages).map((kind) => ({ value: kind, label: t(`kind.${kind}`) }))}
                onChange={(value) => {
                  const kind = addable(pages).find((one) => one === value)
                  if (kind !== undefined) add(kind)
                }}
              />
            </div>
          )}
          <FieldError error={error} />
        </div>
        {page !== undefined && (
          <PageOptions
            key={`${chosen} ${page.kind}`}
            index={chosen}
            page={page}
            name={nameOf(page)}
            onRemove={!readOnly && removable(pages, chosen) ? () => remove(chosen) : undefined}
          />
        )}
      </div>
    </Card>
  )
}
