import { useEffect, useState, type FormEvent } from 'react'
import { currentLocale, useTranslation } from '@/i18n'
import { withLocale } from '@/i18n/locale'
import { api, unwrap } from '@/api/client'
import { PASSWORD_MIN_LENGTH } from '@/api/password'
import type { PasswordReset } from '@/api/types'
import { ProblemError } from '@/api/problem'
import { meKey, noteUser } from '@/api/signed-in-user'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { toast } from '@/ui/feedback/toast'
import { Field } from '@/ui/field/Field'
import { PasswordInput } from '@/ui/field/inputs'
import { usePageMeta } from '@/ui/page-meta'
import { problemText } from '@/records/problem-text'
import { parameterOf, useSignInNavigation } from './navigation'
import { LoginFrame } from './LoginFrame'
import classes from './login.module.css'

export const texts = ['login']
export const errorsLater = true

/** Choose a new password, from the one-time link of the mail (`/login/reset?token=…`). */
export function Page() {
  const { t } = useTranslation('login')
  const { go } = useSignInNavigation()
  const [token] = useState(() => parameterOf('token'))
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const [whose, setWhose] = useState<PasswordReset | null>(null)
  useEffect(() => {
    if (token === undefined) return undefined
    let left = false
    // A link that no longer works is reported before the user thinks of a password.
    unwrap(api.GET('/api/v1/password-resets/{token}', { params: { path: { token } } })).then(
      (found) => left || setWhose(found),
      (error: unknown) => left || setProblem(error),
    )
    return () => {
      left = true
    }
  }, [token])
  const invited = whose?.invitation === true
  const title = invited ? t('invitation.title', { name: whose.first_name }) : t('reset.title')
  usePageMeta([{ label: t('reset.title') }])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (token === undefined) return
    setBusy(true)
    try {
      await unwrap(api.PUT('/api/v1/password-resets/{token}', { params: { path: { token } }, body: { password } }))
      await enter()
    } catch (error) {
      setProblem(error)
      setBusy(false)
    }
  }
  /** Signs in with the new password; opens the sign-in page where more is needed, for example a code. */
  const enter = async () => {
    try {
      if (whose === null) throw new Error('the address is not known')
      const me = await unwrap(api.POST('/api/v1/session', { body: { email: whose.email, password } }))
      noteUser(me.id)
      const { queryClient } = await import('@/api/query-client')
      queryClient.clear()
      queryClient.setQueryData(meKey, me)
      toast({ text: t('reset.entered') })
      await go(withLocale('/', currentLocale()))
    } catch {
      toast({ text: t('reset.done') })
      await go(withLocale('/login', currentLocale()))
    }
  }
  const weak = problem instanceof ProblemError && problem.code === 'auth/weak-password'
  return (
    <LoginFrame>
      <h1 tabIndex={-1}>{title}</h1>
      <p className={classes['lead']}>
        {invited ? t('invitation.lead', { structure: whose.structure, email: whose.email }) : t('reset.lead')}
      </p>
      <form className={classes['form']} onSubmit={(event) => void submit(event)}>
        {token === undefined && (
          <Banner tone="danger" live="alert">
            {t('reset.noToken')}
          </Banner>
        )}
        {problem !== null && !weak && (
          <Banner tone="danger" live="alert">
            {problemText(problem)}
          </Banner>
        )}
        {token !== undefined && (
          <>
            <Field
              label={t(invited ? 'invitation.password' : 'reset.password')}
              hint={t('reset.rule', { count: PASSWORD_MIN_LENGTH })}
              error={weak ? problemText(problem) : undefined}
            >
              {(wiring) => (
                <PasswordInput {...wiring} large autoComplete="new-password" required autoFocus value={password} onChange={setPassword} />
              )}
            </Field>
            <Button
              type="submit"
              look="primary"
              size="large"
              wide
              busy={busy}
              disabledReason={password.length < PASSWORD_MIN_LENGTH ? t('reset.tooShort', { count: PASSWORD_MIN_LENGTH }) : undefined}
            >
              {t(invited ? 'invitation.save' : 'reset.save')}
            </Button>
          </>
        )}
        <a href={withLocale('/login/forgot', currentLocale())}>{t('reset.askAgain')}</a>
      </form>
    </LoginFrame>
  )
}
