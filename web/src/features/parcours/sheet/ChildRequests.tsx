import { Link } from '@tanstack/react-router'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCircleDashed from '@tabler/icons-react/dist/esm/icons/IconCircleDashed.mjs'
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs'
import { useTranslation } from '@/i18n'
import type { ChildDecision, ChildRequest } from '@/api/types'
import { useCan } from '@/api/session'
import { Badge } from '@/ui/badge/Badge'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { toast, toastError } from '@/ui/feedback/toast'
import { format, textOf } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import { useSheet } from './context'
import { decideChild, parcoursQuery } from './queries'
import classes from './sheet.module.css'

const looks = {
  waiting: { tone: 'warn', icon: IconCircleDashed },
  accepted: { tone: 'ok', icon: IconCircleCheck },
  refused: { tone: 'neutral', icon: IconCircleX },
} as const

function useDecide() {
  const { t } = useTranslation('sheet')
  const { parcours } = useSheet()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ child, accepted }: { child: ChildRequest; accepted: boolean }) => decideChild(parcours.id, child.id, accepted),
    onSuccess: async (after, { child, accepted }) => {
      cache.setQueryData(parcoursQuery(parcours.id).queryKey, after)
      await Promise.all([cache.invalidateQueries({ queryKey: ['dashboard'] }), cache.invalidateQueries({ queryKey: ['parcours', 'list'] })])
      toast({ text: t(accepted ? 'childRequest.done.accepted' : 'childRequest.done.refused', { title: textOf(child.title) }) })
    },
    onError: (error) => toastError(t('error.because', { what: t('error.action'), why: problemText(error) })),
  })
}

function Decide({ child }: { child: ChildRequest }) {
  const { t } = useTranslation('sheet')
  const mayPublish = useCan('content.publish')
  const decide = useDecide()
  const button = (accepted: boolean, words: string) => (
    <Button
      size="small"
      look={accepted ? 'primary' : 'default'}
      busy={decide.isPending && decide.variables.accepted === accepted}
      disabledReason={mayPublish ? undefined : t('notAllowed')}
      aria-label={t('childRequest.of', { what: words, title: textOf(child.title) })}
      onClick={() => decide.mutate({ child, accepted })}
    >
      {words}
    </Button>
  )
  return (
    <>
      {child.decision !== 'accepted' && button(true, t('childRequest.accept'))}
      {child.decision !== 'refused' && button(false, t(child.decision === 'accepted' ? 'childRequest.takeOff' : 'childRequest.refuse'))}
    </>
  )
}

function ChildLink({ child }: { child: ChildRequest }) {
  return (
    <Link to="/parcours/$id" params={{ id: String(child.id) }}>
      {textOf(child.title)}
    </Link>
  )
}

/** Above the tabs: the parcours of other white-labels that wait to be shown under this one. */
export function WaitingChildren() {
  const { t } = useTranslation('sheet')
  const waiting = (useSheet().parcours.child_requests ?? []).filter(({ decision }) => decision === 'waiting')
  if (waiting.length === 0) return null
  return (
    <div className={classes['requests']}>
      {waiting.map((child) => (
        <Banner key={child.id} tone="warn" actions={<Decide child={child} />}>
          <strong>
            {t('childRequest.asks', { owner: child.white_label.name })} <ChildLink child={child} />
          </strong>{' '}
          {t('childRequest.asksText')}
        </Banner>
      ))}
    </div>
  )
}

/** Every parcours of other white-labels under this one, with what was decided of it. */
export function ChildRequests() {
  const { t } = useTranslation('sheet')
  const requests = useSheet().parcours.child_requests ?? []
  if (requests.length === 0) return null
  return (
    <div>
      <p className={classes['choiceLabel']}>{t('childRequest.title')}</p>
      <ul className={classes['uses']}>
        {requests.map((child) => (
          <li key={child.id} className={classes['request']}>
            <span>
              <ChildLink child={child} /> ({child.white_label.name}) <Decision decision={child.decision} />
              {child.decided_at !== null && (
                <span className="small muted">
                  {' '}
                  {t('childRequest.decided', { when: format.instant(child.decided_at), by: child.decided_by?.name ?? t('someone') })}
                </span>
              )}
            </span>
            <span className={classes['requestActs']}>
              <Decide child={child} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Decision({ decision }: { decision: ChildDecision }) {
  const { t } = useTranslation('sheet')
  const { tone, icon } = looks[decision]
  return (
    <Badge tone={tone} icon={icon}>
      {t(`childRequest.state.${decision}`)}
    </Badge>
  )
}

/** On the child's own sheet: what the owner of its parent decided. */
export function ParentDecision() {
  const { t } = useTranslation('sheet')
  const decision = useSheet().parcours.parent_decision ?? null
  if (decision === null) return null
  return (
    <p className="small">
      <Decision decision={decision} /> {t(`childRequest.parent.${decision}`)}
    </p>
  )
}
