import IconBarrierBlock from '@tabler/icons-react/dist/esm/icons/IconBarrierBlock.mjs'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ClosureOnParcours, Detour } from '@/api/model'
import { useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { Card } from '@/ui/Card'
import { format, textOf } from '@/ui/format'
import { problemText } from '@/ui/problem-text'
import { useSheet } from '../context'
import { dayWords } from '../periods'
import { detoursQuery } from '../queries'
import classes from './content.module.css'

/** Where and until when the parcours is shut, why, and how one gets round. */
export function ClosuresCard() {
  const { t } = useTranslation('sheet')
  const { closures = [] } = useSheet().parcours
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
  const { parcours } = useSheet()
  const { data, error } = useQuery(detoursQuery(parcours))
  const { id, title, from, to, reason, state, stretches } = closure
  const detours = data?.find((one) => one.id === id)?.detours
  return (
    <li>
      <span className="row wrap">
        <Badge tone={state === 'now' ? 'danger' : 'warn'} icon={IconBarrierBlock}>
          {t(state === 'now' ? 'closures.now' : 'closures.later')}
        </Badge>
        <Link to={`/fermetures/${id}` as never}>
          <strong>{textOf(title)}</strong>
        </Link>
      </span>
      <span>{to === null ? t('closures.fromOn', { from: dayWords(from) }) : t('periodWords', { from: dayWords(from), to: dayWords(to) })}</span>
      {textOf(reason, '') !== '' && <span>{textOf(reason)}</span>}
      {stretches.map(({ from_m, to_m }, index) => (
        <span key={from_m} className="small muted">
          {t('closures.stretch', { from: format.km(from_m), to: format.km(to_m), length: format.distance(to_m - from_m) })}{' '}
          <WayRound detour={detours?.[index]} />
        </span>
      ))}
      {error && <span className="small muted">{problemText(error)}</span>}
    </li>
  )
}

/** The way round one stretch; `undefined` while it is looked for. */
function WayRound({ detour }: { detour: Detour | null | undefined }) {
  const { t } = useTranslation('sheet')
  if (detour === undefined) return null
  if (detour === null) return <>{t('closures.noDetour')}</>
  const extra = `${detour.extra_m < 0 ? '−' : '+'}${format.distance(Math.abs(detour.extra_m))}`
  return <>{t('closures.detour', { from: format.km(detour.from_m), to: format.km(detour.to_m), length: format.distance(detour.distance_m), extra })}</>
}
