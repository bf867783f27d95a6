import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import type { ReactNode } from 'react'
import { useTranslation } from '@/i18n'
import { Button, IconButton } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { Segments } from '@/ui/field/inputs'
import { problemText } from '@/records/problem-text'
import classes from './ListFrame.module.css'

interface Props<V extends string> {
  /** The TanStack query of the list. */
  answer: { isPending: boolean; error: Error | null; refetch: () => unknown }
  filter: { label: string; value: V; choices: readonly { value: V; label: ReactNode }[]; onChange: (view: V) => void }
  page: number
  setPage: (page: number) => void
  perPage: number
  /** The number of items that match the filter. */
  total: number
  /** The words of an empty list. */
  empty: string
  children: ReactNode
}

/** A list with its filter by state, its pages, and its messages while it loads, fails or is empty. */
export function ListFrame<V extends string>({ answer, filter, page, setPage, perPage, total, empty, children }: Props<V>) {
  const { t } = useTranslation()
  if (answer.isPending) return <Skeleton height={160} />
  if (answer.error !== null) {
    return (
      <Banner
        tone="danger"
        live="alert"
        actions={
          <Button size="small" onClick={() => void answer.refetch()}>
            {t('retry')}
          </Button>
        }
      >
        {problemText(answer.error)}
      </Banner>
    )
  }
  const pages = Math.max(1, Math.ceil(total / perPage))
  return (
    <>
      <Segments {...filter} onChange={(view) => (setPage(1), filter.onChange(view))} />
      {total === 0 ? <p className={classes['empty']}>{empty}</p> : <ul className={classes['list']}>{children}</ul>}
      {pages > 1 && (
        <nav className="row" aria-label={t('list.pages')}>
          <IconButton
            size="small"
            label={t('list.previous')}
            icon={<IconChevronLeft size={18} stroke={1.75} aria-hidden />}
            disabledReason={page === 1 ? t('list.isFirst') : undefined}
            onClick={() => setPage(page - 1)}
          />
          <span className="num small">{t('list.pageOf', { page, pages })}</span>
          <IconButton
            size="small"
            label={t('list.next')}
            icon={<IconChevronRight size={18} stroke={1.75} aria-hidden />}
            disabledReason={page >= pages ? t('list.isLast') : undefined}
            onClick={() => setPage(page + 1)}
          />
        </nav>
      )}
    </>
  )
}
