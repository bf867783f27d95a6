import IconBarrierBlock from '@tabler/icons-react/dist/esm/icons/IconBarrierBlock.mjs'
import { Link } from '@tanstack/react-router'
import type { ClosureOnParcours } from '@/api/model'
import { useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { Card } from '@/ui/Card'
import { momentOf } from '@/ui/closure/moment'
import { format, textOf } from '@/ui/format'
import { useSheet } from '../context'
import { dayWords } from '../periods'
import classes from './content.module.css'

/** Where and until when the parcours is shut, why, and how one gets round. */
export function ClosuresCard() {
  const { t } = useTranslation('sheet')
  const closures = (useSheet().parcours.closures ?? []).filter((closure) => momentOf(closure) !== 'past')
  if (closures.length === 0) return null
  return (
    <Card title={t('closures.title')}>
      <ul className={classes['closures']}>
        {closures.map((closure) => (
          <Closure key={closure.id} closure={closure} />
        ))}
      </ul>
    </Card>
  )
}

function Closure({ closure }: { closure: ClosureOnParcours }) {
  const { t } = useTranslation('sheet')
  const { id, title, from, to, reason, stretches, detour } = closure
  const now = momentOf(closure) === 'now'
  const places = stretches.map(({ from_m, to_m }) => t('closures.stretch', { from: format.km(from_m), to: format.km(to_m), length: format.distance(to_m - from_m) }))
  return (
    <li>
      <span className="row wrap">
        <Badge tone={now ? 'danger' : 'warn'} icon={IconBarrierBlock}>
          {t(now ? 'closures.now' : 'closures.later')}
        </Badge>
        <Link to={`/fermetures/${id}` as never}>
          <strong>{textOf(title)}</strong>
        </Link>
      </span>
      <span>{to === null ? t('closures.fromOn', { from: dayWords(from.slice(0, 10)) }) : t('periodWords', { from: dayWords(from.slice(0, 10)), to: dayWords(to.slice(0, 10)) })}</span>
      {textOf(reason, '') !== '' && <span>{textOf(reason)}</span>}
      <span className="small muted">{format.list(places)}</span>
      <span className="small muted">{detour ? t('closures.detour', { length: format.distance(detour.distance_m) }) : t('closures.noDetour')}</span>
    </li>
  )
}
