import IconBarrierBlock from '@tabler/icons-react/dist/esm/icons/IconBarrierBlock.mjs'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ClosureOnParcours, Detour } from '@/api/types'
import { useCan } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { Button } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { toast, toastError } from '@/ui/feedback/toast'
import { format, textOf } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import { useSheet } from '../context'
import { dayWords } from '../periods'
import { detoursQuery, publishDetour, withdrawDetour } from '../queries'
import classes from './content.module.css'

/** The closures of the parcours: place, period, reason, and detour. */
export function ClosuresCard() {
  const { t } = useTranslation('sheet')
  const { closures } = useSheet().parcours
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
        <Link to="/fermetures/$id" params={{ id: String(id) }}>
          <strong>{textOf(title)}</strong>
        </Link>
      </span>
      <span>
        {to === null ? t('closures.fromOn', { from: dayWords(from) }) : t('periodWords', { from: dayWords(from), to: dayWords(to) })}
      </span>
      {textOf(reason, '') !== '' && <span>{textOf(reason)}</span>}
      {stretches.map(({ from_m, to_m }, index) => (
        <span key={from_m} className="small muted">
          {t('closures.stretch', { from: format.km(from_m), to: format.km(to_m), length: format.distance(to_m - from_m) })}{' '}
          <WayRound detour={detours?.[index]} closure={id} stretch={index} />
        </span>
      ))}
      {error && <span className="small muted">{problemText(error)}</span>}
    </li>
  )
}

/** The way round one stretch; `undefined` while it is looked for. */
function WayRound({ detour, closure, stretch }: { detour: Detour | null | undefined; closure: number; stretch: number }) {
  const { t } = useTranslation('sheet')
  if (detour === undefined) return null
  if (detour === null) return <>{t('closures.noDetour')}</>
  const extra = `${detour.extra_m < 0 ? '−' : '+'}${format.distance(Math.abs(detour.extra_m))}`
  const figures = { from: format.km(detour.from_m), to: format.km(detour.to_m), length: format.distance(detour.distance_m), extra }
  return (
    <>
      {t(detour.published ? 'closures.detourPublished' : 'closures.detour', figures)}{' '}
      <PublishDetour detour={detour} closure={closure} stretch={stretch} />
    </>
  )
}

/** Shows visitors the way round, or no longer. */
function PublishDetour({ detour, closure, stretch }: { detour: Detour; closure: number; stretch: number }) {
  const { t } = useTranslation('sheet')
  const { parcours } = useSheet()
  const cache = useQueryClient()
  const may = useCan('content.publish') && parcours.editable
  const change = useMutation({
    mutationFn: async () => {
      if (detour.published) await withdrawDetour(parcours.id, closure, stretch)
      else await publishDetour(parcours.id, closure, stretch, detour)
    },
    onSuccess: () => toast({ text: t(detour.published ? 'closures.detourDone.withdrawn' : 'closures.detourDone.published') }),
    onError: (error) => toastError(t('closures.detourError', { why: problemText(error) })),
    onSettled: () => cache.invalidateQueries({ queryKey: ['parcours', parcours.id, 'closures'] }),
  })
  if (!may) return null
  return (
    <Button size="small" busy={change.isPending} onClick={() => change.mutate()}>
      {t(detour.published ? 'closures.withdrawDetour' : 'closures.publishDetour')}
    </Button>
  )
}
