import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { ListFrame } from '@/records/list/ListFrame'
import { useSheet } from '../context'
import { PER_PAGE, reportsQuery, reportViews, type ReportView } from './queries'
import { ReportItem } from './ReportItem'
import classes from './reviews.module.css'

/** The field reports of visitors, until they are resolved. */
export function ReportsCard() {
  const { t } = useTranslation('reviews')
  const { parcours } = useSheet()
  const [view, setView] = useState<ReportView>('all')
  const [page, setPage] = useState(1)
  const answer = useQuery(reportsQuery(parcours.id, view, page))
  const { counts, items = [], total = 0, in_charge: inCharge } = answer.data ?? {}
  const count = (key: ReportView) => (counts === undefined || key === 'all' ? '' : ` (${counts[key]})`)
  return (
    <Card title={t('reports.title')}>
      <div className={classes['stack']}>
        {inCharge === null && <Banner tone="warn">{t('reports.nobody')}</Banner>}
        {inCharge && <p className="small muted">{t('reports.inCharge', { name: inCharge })}</p>}
        <ListFrame
          answer={answer}
          filter={{
            label: t('reports.filter'),
            value: view,
            onChange: setView,
            choices: reportViews.map((key) => ({ value: key, label: `${t(`reports.view.${key}`)}${count(key)}` })),
          }}
          page={page}
          setPage={setPage}
          perPage={PER_PAGE}
          total={total}
          empty={t(view === 'all' ? 'reports.none' : 'reports.noneSo')}
        >
          {items.map((report) => (
            <ReportItem key={report.id} report={report} />
          ))}
        </ListFrame>
      </div>
    </Card>
  )
}
