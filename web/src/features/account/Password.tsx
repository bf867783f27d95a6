import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { ProblemError } from '@/api/problem'
import { api, unwrap } from '@/api/client'
import { PASSWORD_MIN_LENGTH } from '@/api/password'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { toast } from '@/ui/feedback/toast'
import { Field } from '@/ui/field/Field'
import { PasswordInput } from '@/ui/field/inputs'
import { problemText } from '@/records/problem-text'
import classes from './account.module.css'
import { sessionsKey } from './sessions-query'

/** Choose another password, with the present one. */
export function Password() {
  const { t } = useTranslation('account')
  const [opened, setOpened] = useState(false)
  return (
    <Card title={t('password.title')}>
      <div className={classes['stack']}>
        <p>{t('password.what')}</p>
        {opened ? <ChangeForm onDone={() => setOpened(false)} /> : <Button onClick={() => setOpened(true)}>{t('password.change')}</Button>}
      </div>
    </Card>
  )
}

function ChangeForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('account')
  const cache = useQueryClient()
  const [current, setCurrent] = useState('')
  const [wanted, setWanted] = useState('')
  const send = useMutation({
    mutationFn: () => unwrap(api.PUT('/api/v1/me/password', { body: { current_password: current, new_password: wanted } })),
    onSuccess: () => {
      toast({ text: t('password.done') })
      void cache.invalidateQueries({ queryKey: sessionsKey })
      onDone()
    },
  })
  const field = send.error instanceof ProblemError ? send.error.field : undefined
  const errorAt = (pointer: string) => (send.error !== null && field === pointer ? problemText(send.error) : undefined)
  const missing =
    current === '' || wanted === ''
      ? t('password.first')
      : wanted.length < PASSWORD_MIN_LENGTH
        ? t('password.tooShort', { count: PASSWORD_MIN_LENGTH })
        : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (missing === undefined) send.mutate()
  }
  return (
    <form className={classes['form']} onSubmit={submit}>
      {send.error !== null && field === undefined && (
        <Banner tone="danger" live="alert">
          {problemText(send.error)}
        </Banner>
      )}
      <Field label={t('password.current')} error={errorAt('/current_password')} required>
        {(wiring) => <PasswordInput {...wiring} autoComplete="current-password" autoFocus value={current} onChange={setCurrent} />}
      </Field>
      <Field label={t('password.new')} hint={t('password.rule', { count: PASSWORD_MIN_LENGTH })} error={errorAt('/new_password')} required>
        {(wiring) => <PasswordInput {...wiring} autoComplete="new-password" value={wanted} onChange={setWanted} />}
      </Field>
      <p className="small muted">{t('password.endsOthers')}</p>
      <span className="row wrap">
        <Button type="submit" look="primary" busy={send.isPending} disabledReason={missing}>
          {t('password.save')}
        </Button>
        <Button look="ghost" onClick={onDone}>
          {t('common:cancel')}
        </Button>
      </span>
    </form>
  )
}
