import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { ListFrame } from '@/records/list/ListFrame'
import { format } from '@/ui/format'
import { useSheet } from '../context'
import { PER_PAGE, reviewsQuery, reviewViews, type ReviewView } from './queries'
import { ReviewItem } from './ReviewItem'
import classes from './reviews.module.css'
import { StarsSpread } from './Stars'

/** The reviews: their mean, which cannot be edited, and each of them with what can be done. */
export function ReviewsCard() {
  const { t } = useTranslation('reviews')
  const { parcours } = useSheet()
  const [view, setView] = useState<ReviewView>('all')
  const [page, setPage] = useState(1)
  const answer = useQuery(reviewsQuery(parcours.id, view, page))
  const { counts, average, held_back: bounds, items = [], total = 0 } = answer.data ?? {}
  const count = (key: ReviewView) => (counts === undefined || key === 'all' ? '' : ` (${counts[key]})`)
  return (
    <Card title={t('title')}>
      <div className={classes['stack']}>
        {bounds && (
          <Banner tone="warn">
            {t('heldBack', {
              average: format.number(average ?? 0, 1),
              min: format.number(bounds.min ?? 1, 1),
              max: format.number(bounds.max ?? 5, 1),
            })}
          </Banner>
        )}
        {counts !== undefined && counts.published > 0 && (
          <div className={classes['summary']}>
            <p>
              <strong className={classes['average']}>{format.number(average ?? 0, 1)}</strong> / 5
              <span className="muted small"> · {t('published', { count: counts.published })}</span>
            </p>
            <StarsSpread counts={counts.stars} />
          </div>
        )}
        <p className="small muted">{t('explain')}</p>
        <ListFrame
          answer={answer}
          filter={{
            label: t('filter'),
            value: view,
            onChange: setView,
            choices: reviewViews.map((key) => ({ value: key, label: `${t(`view.${key}`)}${count(key)}` })),
          }}
          page={page}
          setPage={setPage}
          perPage={PER_PAGE}
          total={total}
          empty={t(view === 'all' ? 'none' : 'noneSo')}
        >
          {items.map((review) => (
            <ReviewItem key={review.id} review={review} />
          ))}
        </ListFrame>
      </div>
    </Card>
  )
}
