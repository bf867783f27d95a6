import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconRoute from '@tabler/icons-react/dist/esm/icons/IconRoute.mjs'
import IconRouteOff from '@tabler/icons-react/dist/esm/icons/IconRouteOff.mjs'
import IconTrendingDown from '@tabler/icons-react/dist/esm/icons/IconTrendingDown.mjs'
import IconTrendingUp from '@tabler/icons-react/dist/esm/icons/IconTrendingUp.mjs'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { WatchChange } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Badge, type Tone } from '@/ui/badge/Badge'
import { Button } from '@/ui/button/Button'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { toast, toastError } from '@/ui/feedback/toast'
import { format, textOf } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import classes from './network-watch.module.css'
import { Stretches } from './Stretches'
import { markSeen } from './watch'

type Kind = 'lost' | 'gained' | 'better' | 'worse'
const looks: Record<Kind, { tone: Tone; icon: typeof IconRoute }> = {
  lost: { tone: 'warn', icon: IconRouteOff },
  gained: { tone: 'ok', icon: IconRoute },
  better: { tone: 'neutral', icon: IconTrendingUp },
  worse: { tone: 'neutral', icon: IconTrendingDown },
}

/** Lost or gained its guidance, else which way its score went. */
function kindOf({ guidance, before, after }: WatchChange): Kind {
  if (guidance !== 'none') return guidance
  return (after.percent ?? -1) >= (before.percent ?? -1) ? 'better' : 'worse'
}

interface ChangeCardProps {
  change: WatchChange
  open: boolean
  onToggle: () => void
  /** The rank of the stretch under the pointer or the focus. */
  highlighted: number | null
  onHighlight: (rank: number | null) => void
  /** The map, on screens too narrow to show it beside the list. */
  map: ReactNode
}

/** One parcours: its score before and after, how its stretches changed, and what can be done. */
export function ChangeCard({ change, open, onToggle, highlighted, onHighlight, map }: ChangeCardProps) {
  const { t } = useTranslation('watch')
  const { parcours } = change
  const kind = kindOf(change)
  const look = looks[kind]
  return (
    <li className={classes['card']} data-open={open || undefined} data-seen={change.seen !== null || undefined}>
      <button type="button" className={classes['head']} aria-expanded={open} onClick={onToggle}>
        <span className={classes['words']}>
          <strong className="clamp2">{textOf(parcours.title)}</strong>
          {!change.mine && <span className="small muted">{parcours.white_label.name}</span>}
        </span>
        <Badge tone={look.tone} icon={look.icon}>
          {t(`kind.${kind}`)}
        </Badge>
        <Scores change={change} />
        <IconChevronDown className={classes['chevron']} size={18} stroke={1.75} aria-hidden />
      </button>
      {open && (
        <div className={classes['inside']}>
          {map && <div className={classes['inline']}>{map}</div>}
          <Stretches stretches={change.stretches} highlighted={highlighted} onHighlight={onHighlight} />
          <div className={classes['actions']}>
            <ButtonLink size="small" to="/parcours/$id/edit-trace" params={{ id: String(parcours.id) }}>
              {t('openTrace')}
            </ButtonLink>
            <Link to="/parcours/$id" params={{ id: String(parcours.id) }} className="small">
              {t('openSheet')}
            </Link>
            <span className={classes['end']}>
              <Seen change={change} />
            </span>
          </div>
        </div>
      )}
    </li>
  )
}

function Scores({ change: { before, after } }: { change: WatchChange }) {
  const { t } = useTranslation('watch')
  const written = (percent: number | null) => (percent === null ? t('notCalculable') : format.percent(percent))
  return (
    <span className={`${classes['scores']} num`}>
      <span className="visually-hidden">{t('scores', { before: written(before.percent), after: written(after.percent) })}</span>
      <span aria-hidden="true">{written(before.percent)}</span>
      <IconArrowRight size={14} stroke={2} aria-hidden />
      <strong aria-hidden="true" data-state={after.state}>
        {written(after.percent)}
      </strong>
    </span>
  )
}

/** « Vu » : the change leaves the list. */
function Seen({ change }: { change: WatchChange }) {
  const { t } = useTranslation('watch')
  const cache = useQueryClient()
  const title = textOf(change.parcours.title)
  const send = useMutation({
    mutationFn: () => markSeen(change.id),
    onSuccess: async () => {
      await Promise.all([cache.invalidateQueries({ queryKey: ['planner', 'watch'] }), cache.invalidateQueries({ queryKey: ['dashboard'] })])
      toast({ text: t('seenDone', { title }) })
      document.querySelector<HTMLElement>('h1')?.focus()
    },
    onError: (error) => toastError(problemText(error)),
  })
  if (change.seen !== null) {
    return (
      <span className={classes['seen']}>
        <IconCheck size={16} stroke={2} aria-hidden />
        {change.seen.by
          ? t('seenBy', { name: change.seen.by.name, when: format.ago(change.seen.at) })
          : t('seenAt', { when: format.ago(change.seen.at) })}
      </span>
    )
  }
  return (
    <Button
      size="small"
      look="soft"
      icon={<IconCheck size={16} stroke={1.75} aria-hidden />}
      busy={send.isPending}
      aria-label={t('markSeen', { title })}
      disabledReason={change.editable ? undefined : t('notYours', { owner: change.parcours.white_label.name })}
      onClick={() => send.mutate()}
    >
      {t('seen')}
    </Button>
  )
}
