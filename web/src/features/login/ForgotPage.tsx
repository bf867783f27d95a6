import { useEffect, useState, type FormEvent } from 'react'
import { useTranslation } from '@/i18n'
import { api, unwrap } from '@/api/client'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { Field } from '@/ui/field/Field'
import { TextInput } from '@/ui/field/inputs'
import { usePageMeta } from '@/ui/page-meta'
import { problemText } from '@/records/problem-text'
import { askedPlace, forgetEmail, keptEmail, signInLink } from './back'
import { LoginFrame } from './LoginFrame'
import classes from './login.module.css'

export const texts = ['login']
export const errorsLater = true

/** The field and the button that had the focus are gone. */
const takeFocus = (element: HTMLElement | null) => element?.focus()

/** Ask for a link by mail; the answer is the same whether the account exists or not. */
export function Page() {
  const { t } = useTranslation('login')
  const [back] = useState(askedPlace)
  const [email, setEmail] = useState(keptEmail)
  useEffect(forgetEmail, [])
  const [state, setState] = useState<'asking' | 'sending' | 'sent'>('asking')
  const [problem, setProblem] = useState<unknown>(null)
  usePageMeta([{ label: t('forgot.title') }])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setState('sending')
    setProblem(null)
    try {
      await unwrap(api.POST('/api/v1/password-resets', { body: { email: email.trim() } }))
      setState('sent')
    } catch (error) {
      setProblem(error)
      setState('asking')
    }
  }
  return (
    <LoginFrame>
      <h1 tabIndex={-1}>{t('forgot.title')}</h1>
      <p className={classes['lead']}>{t('forgot.lead')}</p>
      <form className={classes['form']} onSubmit={(event) => void submit(event)}>
        {problem !== null && (
          <Banner tone="danger" live="alert">
            {problemText(problem)}
          </Banner>
        )}
        {state === 'sent' ? (
          <div ref={takeFocus} tabIndex={-1}>
            <Banner tone="ok" live="status">
              {t('forgot.sent', { email: email.trim() })}
            </Banner>
          </div>
        ) : (
          <>
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
            <Button type="submit" look="primary" size="large" wide busy={state === 'sending'}>
              {t('forgot.send')}
            </Button>
          </>
        )}
        <a href={signInLink('/login', back)}>{t('forgot.back')}</a>
      </form>
    </LoginFrame>
  )
}
