import { type MouseEvent, type ReactNode, Suspense } from 'react'
import { useTranslation } from '@/i18n'
import { barHeightRef } from '@/ui/bar-height'
import { focusTitle } from '@/ui/focus'
import { format } from '@/ui/format'
import { isPhone } from '@/ui/usePhone'
import classes from './ResourceList.module.css'
import { useHasTicks, useSelection } from './selection'
import type { ListControl } from './useListState'

interface BulkBarProps {
  list: ListControl
  /** The actions over the ticked rows. */
  bulk: ReactNode
  /** How many records match the filters. */
  total: number
}

/** The bar of actions, once a row is ticked. */
export function BulkPlace(props: BulkBarProps) {
  return useHasTicks(props.list.selection) ? <BulkBar {...props} /> : null
}

function BulkBar({ list, bulk, total }: BulkBarProps) {
  const { t } = useTranslation()
  const { ids, everything } = useSelection(list.selection)
  const unselect = (event: MouseEvent<HTMLElement>) => {
    // The bar disappears with its button: the focus goes to the box that ticks rows again. On a phone the headings are out of sight.
    const phone = isPhone()
    const boxes = event.currentTarget.closest('[data-list]')?.querySelectorAll<HTMLElement>('input[type="checkbox"]') ?? []
    const box = [...boxes].find((one) => !phone || one.closest('thead') === null)
    if (box === undefined) focusTitle()
    else box.focus()
    list.selection.clear()
  }
  return (
    <section ref={barHeightRef} className={classes['bulk']} aria-label={t('list.bulk')}>
      <strong role="status">{t('list.selected', { count: everything ? total : ids.size })}</strong>
      {!everything && total > ids.size && (
        <button type="button" onClick={list.selection.selectEverything}>
          {t('list.selectAll', { total: format.number(total) })}
        </button>
      )}
      <Suspense fallback={null}>{bulk}</Suspense>
      <button type="button" onClick={unselect}>
        {t('list.unselect')}
      </button>
    </section>
  )
}
