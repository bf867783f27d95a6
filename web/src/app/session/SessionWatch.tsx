import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState, type FormEvent } from 'react'
import { currentLocale, useTranslation } from '@/i18n'
import { withLocale } from '@/i18n/locale'
import { api, unwrap } from '@/api/client'
import { isAboutTotp, ProblemError } from '@/api/problem'
import { whenUnauthorized } from '@/api/http'
import { meQuery, useMe } from '@/api/session'
import { Button, ButtonAnchor } from '@/ui/button/Button'
import { Dialog } from '@/ui/dialog/Dialog'
import { Banner } from '@/ui/feedback/Banner'
import { Field } from '@/ui/field/Field'
import { PasswordInput, TextInput } from '@/ui/field/inputs'
import { TotpField } from '@/ui/field/TotpField'
import { format } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import { followSignOut } from './sign-out'
import classes from './SessionWatch.module.css'

const warnBeforeMs = 10 * 60_000
/** The longest a browser's timer can wait. */
const longestMs = 2 ** 31 - 1

type Phase = 'open' | 'ending' | 'ended'

/** The state of the session: open, within ten minutes of its end, or ended (by time, or by an answer of the server). */
function useSessionPhase(expiresAt: string): Phase {
  const [session, setSession] = useState<{ phase: Phase; of: string }>({ phase: 'open', of: expiresAt })
  useEffect(() => {
    const leftMs = new Date(expiresAt).getTime() - Date.now()
    const enter = (phase: Phase) => () => setSession({ phase, of: expiresAt })
    const timers = [
      setTimeout(enter('ending'), Math.min(longestMs, Math.max(0, leftMs - warnBeforeMs))),
      setTimeout(enter('ended'), Math.min(longestMs, Math.max(0, leftMs))),
    ]
    const stop = whenUnauthorized(enter('ended'))
    return () => {
      timers.forEach(clearTimeout)
      stop()
    }
  }, [expiresAt])
  // A notice of an earlier session does not apply to this one.
  return session.of === expiresAt ? session.phase : 'open'
}

/** Announces the end of the session, and lets one sign in again without leaving the page: nothing typed is lost. */
export function SessionWatch() {
  const { t } = useTranslation('shell')
  const me = useMe()
  const phase = useSessionPhase(me.session_expires_at)
  const [signingIn, setSigningIn] = useState(false)
  const [later, setLater] = useState('')
  useEffect(followSignOut, [])
  const showWarning = phase === 'ending' && later !== me.session_expires_at
  return (
    <>
      <div role="status" className={classes['corner']}>
        {showWarning && (
          <div className={classes['card']}>
            <span>{t('session.ending', { time: format.time(me.session_expires_at) })}</span>
            <span className="row">
              <Button size="small" look="primary" onClick={() => setSigningIn(true)}>
                {t('session.again')}
              </Button>
              <Button size="small" look="ghost" onClick={() => setLater(me.session_expires_at)}>
                {t('session.later')}
              </Button>
            </span>
          </div>
        )}
      </div>
      <Dialog
        opened={phase === 'ended' || signingIn}
        mustAnswer={phase === 'ended'}
        onClose={() => setSigningIn(false)}
        title={t(phase === 'ended' ? 'session.ended' : 'session.again')}
      >
        <SignInAgain key={me.session_expires_at} email={me.email} ended={phase === 'ended'} onDone={() => setSigningIn(false)} />
      </Dialog>
    </>
  )
}

function SignInAgain({ email, ended, onDone }: { email: string; ended: boolean; onDone: () => void }) {
  const { t } = useTranslation('shell')
  const { pathname, search } = window.location
  const cache = useQueryClient()
  const router = useRouter()
  const [password, setPassword] = useState('')
  const [totp, setTotp] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      const me = await unwrap(api.POST('/api/v1/session', { body: { email, password, ...(totp === null ? {} : { totp: totp.trim() }) } }))
      cache.setQueryData(meQuery.queryKey, me)
      onDone()
      // Queries that failed without a session are repeated; unsaved values stay in the forms.
      await cache.refetchQueries({ predicate: ({ state, queryKey }) => state.status === 'error' && queryKey[0] !== 'me' })
      if (router.state.matches.some(({ status }) => status === 'error')) await router.invalidate()
    } catch (error) {
      const asks = error instanceof ProblemError && error.code === 'auth/totp-required'
      if (asks) setTotp((typed) => typed ?? '')
      setProblem(asks && totp === null ? null : error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className={classes['form']} onSubmit={(event) => void submit(event)}>
      <p>{t('session.kept')}</p>
      {problem !== null && !isAboutTotp(problem) && (
        <Banner tone="danger" live="alert">
          {problemText(problem)}
        </Banner>
      )}
      <Field label={t('session.email')}>
        {(wiring) => <TextInput {...wiring} type="email" autoComplete="username" value={email} onChange={() => undefined} readOnly />}
      </Field>
      <Field label={t('session.password')}>
        {(wiring) => <PasswordInput {...wiring} autoComplete="current-password" value={password} onChange={setPassword} data-autofocus />}
      </Field>
      {totp !== null && <TotpField value={totp} onChange={setTotp} error={isAboutTotp(problem) ? problemText(problem) : undefined} />}
      <div className={classes['actions']}>
        {/* Loads the page: nothing of this account stays in memory. What was typed stays as its draft on this device. */}
        {ended && (
          <ButtonAnchor
            look="ghost"
            href={`${withLocale('/login', currentLocale())}?backurl=${encodeURIComponent(`${pathname}${search}`)}`}
          >
            {t('session.other')}
          </ButtonAnchor>
        )}
        <Button type="submit" look="primary" busy={busy} disabledReason={password === '' ? t('session.typePassword') : undefined}>
          {t('session.signIn')}
        </Button>
      </div>
    </form>
  )
}
