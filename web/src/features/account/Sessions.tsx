import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'
import type { OwnSession } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { Button } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { toast, toastError } from '@/ui/feedback/toast'
import { format } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import classes from './account.module.css'
import { sessionsKey, sessionsQuery } from './sessions-query'

/** The user's sessions; each can be ended, or all but this one. */
export function Sessions() {
  const { t } = useTranslation('account')
  const cache = useQueryClient()
  const { data: sessions = [], error } = useQuery(sessionsQuery)
  const read = () => cache.invalidateQueries({ queryKey: sessionsKey })
  const end = useMutation({
    mutationFn: (id: number | 'others') =>
      unwrap(id === 'others' ? api.DELETE('/api/v1/me/sessions') : api.DELETE('/api/v1/me/sessions/{id}', { params: { path: { id } } })),
    onSuccess: (_, id) => toast({ text: t(id === 'others' ? 'sessions.othersEnded' : 'sessions.ended') }),
    onError: (failure) => toastError(problemText(failure)),
    onSettled: read,
  })
  return (
    <Card title={t('sessions.title')}>
      <div className={classes['stack']}>
        <p>{t('sessions.what')}</p>
        {error !== null && <Banner tone="danger">{t('resource:because', { what: t('sessions.failed'), why: problemText(error) })}</Banner>}
        <ul className={classes['sessions']}>
          {sessions.map((session) => (
            <Row
              key={session.id}
              session={session}
              busy={end.isPending && end.variables === session.id}
              onEnd={() => end.mutate(session.id)}
            />
          ))}
        </ul>
        {sessions.length > 1 && (
          <Button busy={end.isPending && end.variables === 'others'} onClick={() => end.mutate('others')}>
            {t('sessions.endOthers')}
          </Button>
        )}
      </div>
    </Card>
  )
}

function Row({ session, busy, onEnd }: { session: OwnSession; busy: boolean; onEnd: () => void }) {
  const { t } = useTranslation('account')
  const { browser, system, created_at: opened, last_seen_at: used } = session
  const device = browser && system ? t('sessions.on', { browser, system }) : (browser ?? system ?? t('sessions.unknown'))
  return (
    <li>
      <span className={classes['device']}>
        <span className="row wrap">
          <strong>{device}</strong>
          {session.current && <Badge tone="ok">{t('sessions.current')}</Badge>}
        </span>
        <span className="small muted" title={format.instant(opened)}>
          {t('sessions.times', { opened: format.ago(opened), used: format.ago(used) })}
        </span>
      </span>
      {!session.current && (
        <Button size="small" busy={busy} onClick={onEnd} aria-label={t('sessions.endOne', { device, opened: format.ago(opened) })}>
          {t('sessions.end')}
        </Button>
      )}
    </li>
  )
}
