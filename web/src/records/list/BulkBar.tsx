import { type ReactNode, Suspense } from 'react'
import { useTranslation } from '@/i18n'
import { barHeightRef } from '@/ui/bar-height'
import { focusTitle, isDialogOpen, isFocusLost } from '@/ui/focus'
import { format } from '@/ui/format'
import { passFocusOn } from '@/ui/list/row-focus'
import { isPhone } from '@/ui/usePhone'
import classes from './ResourceList.module.css'
import { useHasTicks, useSelection } from './selection'
import type { ListControl } from './useListState'

interface BulkBarProps {
  list: ListControl
  /** The actions over the ticked rows. */
  bulk: ReactNode
  /** Ids of the rows of the page. */
  ids: readonly number[]
  /** How many records match the filters. */
  total: number
}

/** The bar of actions, once a row is ticked. */
export function BulkPlace(props: BulkBarProps) {
  return useHasTicks(props.list.selection) ? <BulkBar {...props} /> : null
}

/**
 * The `ref` of the bar: its height is known, and when it goes away with the focus in it, or in a dialog of its actions, the focus goes to
 * the box that ticks rows again. On a phone the headings are out of sight.
 */
function barRef(bar: HTMLElement | null): (() => void) | undefined {
  const list = bar?.closest('[data-list]')
  if (bar === null || list == null) return undefined
  const forgetHeight = barHeightRef(bar)
  return () => {
    forgetHeight?.()
    if (!bar.contains(document.activeElement) && !isDialogOpen()) return
    // Called before the bar and its dialogs are taken out of the document.
    queueMicrotask(() => {
      if (!isFocusLost() || !list.isConnected) return
      const phone = isPhone()
      const boxes = list.querySelectorAll<HTMLElement>('input[type="checkbox"]')
      const box = [...boxes].find((one) => !phone || one.closest('thead') === null)
      if (box === undefined) focusTitle()
      else box.focus()
    })
  }
}

function BulkBar({ list, bulk, ids: pageIds, total }: BulkBarProps) {
  const { t } = useTranslation()
  const { ids, everything } = useSelection(list.selection)
  return (
    <section ref={barRef} className={classes['bulk']} aria-label={t('list.bulk')}>
      <strong role="status">{t('list.selected', { count: everything ? total : ids.size })}</strong>
      {!everything && total > ids.size && (
        <button ref={passFocusOn} type="button" onClick={() => list.selection.selectEverything(pageIds)}>
          {t('list.selectAll', { total: format.number(total) })}
        </button>
      )}
      <Suspense fallback={null}>{bulk}</Suspense>
      <button type="button" onClick={list.selection.clear}>
        {t('list.unselect')}
      </button>
    </section>
  )
}
