import { useTranslation } from '@/i18n'
import { format } from '@/ui/format'
import type { Statistics } from '@/api/types'
import { Delta } from './Delta'
import { kinds, type Kind } from './statistics'
import classes from './statistics.module.css'

/** The totals by kind of event; the pressed one selects the kind that the rest of the page shows. */
export function Tiles({ data, kind, onKind }: { data: Statistics; kind: Kind; onKind: (kind: Kind) => void }) {
  const { t } = useTranslation('statistics')
  return (
    <ul className={classes['tiles']} aria-label={t('kinds.label')}>
      {kinds.map((one) => (
        <li key={one}>
          <button type="button" aria-pressed={one === kind} onClick={() => onKind(one)}>
            <span className="small">{t(`kinds.${one}`)}</span>
            <strong className={`${classes['figure']} num`}>{format.number(data.totals[one])}</strong>
            <Delta now={data.totals[one]} before={data.totals_before[one]} />
          </button>
        </li>
      ))}
    </ul>
  )
}
