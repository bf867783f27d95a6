import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { useTranslation } from '@/i18n'
import { IconButton } from '@/ui/button/Button'
import { SelectInput } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import classes from './Pager.module.css'

/** The page shown, and how to show another one. */
interface PageControl {
  page: number
  perPage: number
  setPage: (page: number) => void
  setPerPage: (perPage: number) => void
}

/** « 26 à 50 sur 179 », page by page; the count is exact up to what the server counts. */
export function Pager({ list, total, capped, shown }: { list: PageControl; total: number; capped: boolean; shown: number }) {
  const { t } = useTranslation()
  const first = (list.page - 1) * list.perPage + 1
  const pages = Math.max(1, Math.ceil(total / list.perPage))
  const all = capped ? t('list.moreThan', { total: format.number(total) }) : format.number(total)
  const more = list.page < pages || (capped && shown === list.perPage)
  return (
    <nav className={classes['pager']} aria-label={t('list.pages')}>
      <span className="num">{t('list.range', { from: format.number(first), to: format.number(first + shown - 1), total: all })}</span>
      <label className={classes['size']}>
        <span className="visually-hidden">{t('list.perPage')}</span>
        <SelectInput
          value={String(list.perPage)}
          onChange={(size) => list.setPerPage(Number(size))}
          choices={[25, 50, 100].map((size) => ({ value: String(size), label: t('list.perPageOf', { size }) }))}
        />
      </label>
      {(pages > 1 || more) && (
        <span className="row">
          <IconButton
            size="small"
            label={t('list.previous')}
            icon={<IconChevronLeft size={18} stroke={1.75} aria-hidden />}
            disabledReason={list.page === 1 ? t('list.isFirst') : undefined}
            onClick={() => list.setPage(list.page - 1)}
          />
          <span className="num small">{t('list.pageOf', { page: list.page, pages: capped ? '…' : pages })}</span>
          <IconButton
            size="small"
            label={t('list.next')}
            icon={<IconChevronRight size={18} stroke={1.75} aria-hidden />}
            disabledReason={more ? undefined : t('list.isLast')}
            onClick={() => list.setPage(list.page + 1)}
          />
        </span>
      )}
    </nav>
  )
}
