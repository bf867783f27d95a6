import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { useTranslation } from '@/i18n'
import { api, unwrap } from '@/api/client'
import { ProblemError } from '@/api/problem'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { toast } from '@/ui/feedback/toast'
import { Field } from '@/ui/field/Field'
import { PasswordInput } from '@/ui/field/inputs'
import { usePageMeta } from '@/ui/page-meta'
import { problemText } from '@/ui/problem-text'
import { LoginFrame } from './LoginFrame'
import classes from './login.module.css'

export const texts = ['login']

/** The fewest characters the server takes; said before it has to refuse. */
const fewest = 12

/** Choose a new password, from the one-time link of the mail (`/login/reset?token=…`). */
export function Page() {
  const { t } = useTranslation('login')
  const navigate = useNavigate()
  const { token } = useSearch({ strict: false })
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  usePageMeta([{ label: t('reset.title') }])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (token === undefined) return
    setBusy(true)
    try {
      await unwrap(api.PUT('/api/v1/password-resets/{token}', { params: { path: { token } }, body: { password } }))
      toast({ text: t('reset.done') })
      await navigate({ to: '/login', replace: true })
    } catch (error) {
      setProblem(error)
      setBusy(false)
    }
  }
  const weak = problem instanceof ProblemError && problem.code === 'auth/weak-password'
  return (
    <LoginFrame>
      <h1 tabIndex={-1}>{t('reset.title')}</h1>
      <p className={classes['lead']}>{t('reset.lead')}</p>
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
            <Field label={t('reset.password')} hint={t('reset.rule', { count: fewest })} error={weak ? problemText(problem) : undefined}>
              {(wiring) => <PasswordInput {...wiring} large autoComplete="new-password" required autoFocus value={password} onChange={setPassword} />}
            </Field>
            <Button type="submit" look="primary" size="large" wide busy={busy} disabledReason={password.length < fewest ? t('reset.tooShort', { count: fewest }) : undefined}>
              {t('reset.save')}
            </Button>
          </>
        )}
        <Link to="/login/forgot">{t('reset.askAgain')}</Link>
      </form>
    </LoginFrame>
  )
}
