import type { Happened } from '@/api/types'
import { useTranslation } from '@/i18n'
import { format } from '@/ui/format'
import classes from './reviews.module.css'

/** The actions on a review or a report, with user and time. */
export function History({ happened }: { happened: readonly Happened[] }) {
  const { t } = useTranslation('reviews')
  if (happened.length === 0) return null
  return (
    <details className={classes['history']}>
      <summary>{t('history', { count: happened.length })}</summary>
      <ol>
        {happened.map((one, index) => (
          <li key={index}>
            <span className="num">{format.instant(one.at)}</span> · {t(`happened.${one.what}` as 'happened.published')}
            {one.kind !== '' && one.kind !== 'shown' && ` (${t(`objection.${one.kind}` as 'objection.other')})`}
            {one.kind === 'shown' && ` (${t('happened.shown')})`}
            {one.by !== null && ` · ${one.by.name}`}
            {one.words !== '' && <q>{one.words}</q>}
          </li>
        ))}
      </ol>
    </details>
  )
}
