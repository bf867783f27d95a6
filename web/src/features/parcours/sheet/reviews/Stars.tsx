import { useTranslation } from '@/i18n'
import classes from './reviews.module.css'

const five = [1, 2, 3, 4, 5]

/** A rating as stars; heard as « 4 sur 5 ». */
export function Stars({ rating }: { rating: number }) {
  const { t } = useTranslation('reviews')
  return (
    <span className={classes['stars']} role="img" aria-label={t('stars', { rating })}>
      {five.map((star) => (star <= rating ? '★' : '☆')).join('')}
    </span>
  )
}

/** The distribution of the published ratings: one bar for each rating, the best first. */
export function StarsSpread({ counts }: { counts: readonly number[] }) {
  const { t } = useTranslation('reviews')
  const most = Math.max(1, ...counts)
  return (
    <ul className={classes['spread']} aria-label={t('spread')}>
      {five.toReversed().map((rating) => {
        const count = counts[rating - 1] ?? 0
        return (
          <li key={rating}>
            <span aria-hidden="true">{rating} ★</span>
            <span className={classes['bar']} aria-hidden="true">
              <span style={{ width: `${(100 * count) / most}%` }} />
            </span>
            <span className="num" aria-hidden="true">
              {count}
            </span>
            <span className="visually-hidden">{t('spreadRow', { stars: t('starCount', { count: rating }), count })}</span>
          </li>
        )
      })}
    </ul>
  )
}
