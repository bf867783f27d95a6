import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { useTranslation } from '@/i18n'
import { isAboutTotp, ProblemError } from '@/api/problem'
import { meKey, noteUser } from '@/api/signed-in-user'
import { currentLocale } from '@/i18n'
import { readCookie, switchLocale, withLocale } from '@/i18n/locale'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { Field } from '@/ui/field/Field'
import { PasswordInput, TextInput } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { TotpField } from '@/ui/field/TotpField'
import { prefetch } from '@/ui/prefetch'
import { usePageMeta } from '@/ui/page-meta'
import { problemText } from '@/records/problem-text'
import { askedPlace, forgetEmail, isOutside, keepEmail, signInLink } from './back'
import { useSignInNavigation } from './navigation'
import { LoginFrame } from './LoginFrame'
import classes from './login.module.css'
import { useCountdown } from './useCountdown'

export const texts = ['login']
export const errorsLater = true

/** The client of the API: no part of the first view. */
const readClient = prefetch(() => import('@/api/client'))

/** The place of each refusal: bad credentials at the password, the rest above the form. */
const atPassword = (problem: unknown) => problem instanceof ProblemError && problem.code === 'auth/bad-credentials'

/** Sign in, then go where one was going. */
export function Page() {
  const { t } = useTranslation('login')
  const { go } = useSignInNavigation()
  const [back] = useState(askedPlace)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [totp, setTotp] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const wait = useCountdown()
  const passwordInput = useRef<HTMLInputElement>(null)
  usePageMeta([{ label: t('title') }])
  // What an earlier visit of this tab kept.
  useEffect(forgetEmail, [])
  useEffect(() => {
    if (atPassword(problem)) passwordInput.current?.select()
  }, [problem])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblem(null)
    try {
      const { api, unwrap } = await readClient()
      const me = await unwrap(
        api.POST('/api/v1/session', { body: { email: email.trim(), password, ...(totp === null ? {} : { totp: totp.trim() }) } }),
      )
      noteUser(me.id)
      forgetEmail()
      // The cache is no part of this page: it comes with the next one.
      const { queryClient } = await import('@/api/query-client')
      queryClient.clear()
      queryClient.setQueryData(meKey, me)
      // No language was chosen on this device yet: the account's own is taken, if its texts come.
      const before = currentLocale()
      if (readCookie('locale') === undefined) await switchLocale(me.locale, { moveUrl: () => Promise.resolve() }).catch(() => undefined)
      if (isOutside(back)) {
        window.location.assign(back)
        return
      }
      await go(back === '/' || currentLocale() !== before ? withLocale(back, currentLocale()) : back)
    } catch (error) {
      // The password was right: the code is asked for, which is not shown as an error.
      const asks = error instanceof ProblemError && error.code === 'auth/totp-required'
      if (asks) setTotp((typed) => typed ?? '')
      setProblem(asks && totp === null ? null : error)
      setBusy(false)
      if (error instanceof ProblemError && error.status === 429) wait.start(error.retryAfterS ?? Number(error.params['retry_after_s'] ?? 0))
    }
  }
  const watchCaps = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  const waiting = wait.leftS > 0 ? t('waitFor', { time: format.unit(wait.leftS, 's') }) : undefined
  return (
    <LoginFrame>
      <h1 tabIndex={-1}>{t('title')}</h1>
      <p className={classes['lead']}>{t('lead')}</p>
      {/* Where the browser finds a field empty, nothing is sent: the refusal of the try before goes. */}
      <form className={classes['form']} onSubmit={(event) => void submit(event)} onInvalidCapture={() => setProblem(null)}>
        {back !== '/' && problem === null && (
          <Banner tone="info" live="status">
            {t('backTo')}
          </Banner>
        )}
        {problem !== null && !atPassword(problem) && !isAboutTotp(problem) && (
          <Banner tone="danger" live="alert">
            {wait.leftS > 0 ? waiting : problemText(problem)}
          </Banner>
        )}
        <Field label={t('email')}>
          {(wiring) => (
            <TextInput
              {...wiring}
              large
              type="email"
              inputMode="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              required
              autoFocus
              value={email}
              onChange={setEmail}
            />
          )}
        </Field>
        <div className={classes['password']}>
          <Field
            label={t('password')}
            error={atPassword(problem) ? problemText(problem) : undefined}
            hint={capsLock ? t('capsLock') : undefined}
          >
            {(wiring) => (
              <PasswordInput
                {...wiring}
                ref={passwordInput}
                large
                autoComplete="current-password"
                required
                value={password}
                onChange={setPassword}
                onKeyDown={watchCaps}
                onKeyUp={watchCaps}
              />
            )}
          </Field>
          {/* After the input for the keyboard, beside its label for the eye. */}
          <a
            href={signInLink('/login/forgot', back)}
            onClick={({ ctrlKey, metaKey, shiftKey }) => {
              // Another tab or window has a memory of its own.
              if (!ctrlKey && !metaKey && !shiftKey) keepEmail(email)
            }}
          >
            {t('forgotLink')}
          </a>
        </div>
        {totp !== null && (
          <TotpField large value={totp} onChange={setTotp} error={isAboutTotp(problem) ? problemText(problem) : undefined} />
        )}
        <Button type="submit" look="primary" size="large" wide busy={busy} disabledReason={waiting} reasonShown>
          {t('signIn')}
        </Button>
      </form>
    </LoginFrame>
  )
}
