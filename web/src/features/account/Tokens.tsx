import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { ProblemError } from '@/api/problem'
import { api, unwrap } from '@/api/client'
import { useCan } from '@/api/session'
import type { PersonalToken } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { Button } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { copyText } from '@/ui/copy'
import { ConfirmDialog } from '@/ui/dialog/ConfirmDialog'
import { Banner } from '@/ui/feedback/Banner'
import { toast, toastError } from '@/ui/feedback/toast'
import { Field } from '@/ui/field/Field'
import { Checkbox, PasswordInput, SelectInput, TextInput } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import classes from './account.module.css'

const tokensKey = ['own-tokens'] as const
const tokensQuery = queryOptions({
  queryKey: tokensKey,
  queryFn: async () => (await unwrap(api.GET('/api/v1/me/tokens'))).items,
  staleTime: 0,
})

/** How long a token may last, in days. */
const durations = [7, 30, 90, 365]

/** The tokens with which assistants act for the user: made, shown once, listed, ended. */
export function Tokens() {
  const { t } = useTranslation('account')
  const { data: tokens = [], error } = useQuery(tokensQuery)
  const [opened, setOpened] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  return (
    <Card title={t('tokens.title')}>
      <div className={classes['stack']}>
        <p>{t('tokens.what')}</p>
        {error !== null && <Banner tone="danger">{t('resource:because', { what: t('tokens.failed'), why: problemText(error) })}</Banner>}
        {tokens.length > 0 && (
          <ul className={classes['sessions']}>
            {tokens.map((token) => (
              <Row key={token.id} token={token} />
            ))}
          </ul>
        )}
        {made !== null && <Made token={made} onKept={() => setMade(null)} />}
        {made === null && !opened && <Button onClick={() => setOpened(true)}>{t('tokens.make')}</Button>}
        {made === null && opened && (
          <MakeForm
            onCancel={() => setOpened(false)}
            onMade={(token) => {
              setOpened(false)
              setMade(token)
            }}
          />
        )}
      </div>
    </Card>
  )
}

function MakeForm({ onCancel, onMade }: { onCancel: () => void; onMade: (token: string) => void }) {
  const { t } = useTranslation('account')
  const cache = useQueryClient()
  const mayWrite = useCan('content.write')
  const [name, setName] = useState('')
  const [propose, setPropose] = useState(false)
  const [days, setDays] = useState('90')
  const [password, setPassword] = useState('')
  const send = useMutation({
    mutationFn: () => unwrap(api.POST('/api/v1/me/tokens', { body: { name: name.trim(), propose, days: Number(days), password } })),
    onSuccess: ({ token }) => {
      void cache.invalidateQueries({ queryKey: tokensKey })
      if (token !== undefined && token !== null) onMade(token)
    },
  })
  const field = send.error instanceof ProblemError ? send.error.field : undefined
  const errorAt = (pointer: string) => (send.error !== null && field === pointer ? problemText(send.error) : undefined)
  const missing = name.trim() === '' ? t('tokens.nameFirst') : password === '' ? t('totp.passwordFirst') : undefined
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
      <Field label={t('tokens.name')} hint={t('tokens.nameHint')} error={errorAt('/name')} required>
        {(wiring) => <TextInput {...wiring} maxLength={80} autoComplete="off" autoFocus value={name} onChange={setName} />}
      </Field>
      {mayWrite && <Checkbox checked={propose} onChange={setPropose} label={t('tokens.propose')} hint={t('tokens.proposeHint')} />}
      <Field label={t('tokens.days')} error={errorAt('/days')}>
        {(wiring) => (
          <SelectInput
            {...wiring}
            value={days}
            onChange={(value) => setDays(value ?? '90')}
            choices={durations.map((count) => ({ value: String(count), label: t('tokens.forDays', { count }) }))}
          />
        )}
      </Field>
      <Field label={t('totp.yourPassword')} hint={t('totp.passwordHint')} error={errorAt('/password')} required>
        {(wiring) => <PasswordInput {...wiring} autoComplete="current-password" value={password} onChange={setPassword} />}
      </Field>
      <span className="row wrap">
        <Button type="submit" look="primary" busy={send.isPending} disabledReason={missing}>
          {t('tokens.makeNow')}
        </Button>
        <Button look="ghost" onClick={onCancel}>
          {t('common:cancel')}
        </Button>
      </span>
    </form>
  )
}

/** The new token; shown only once. */
function Made({ token, onKept }: { token: string; onKept: () => void }) {
  const { t } = useTranslation('account')
  const address = `${window.location.origin}/mcp`
  return (
    <section className={classes['stack']} aria-labelledby="new-token">
      <h3 id="new-token">{t('tokens.madeTitle')}</h3>
      <Banner tone="warn" live="status">
        {t('tokens.once')}
      </Banner>
      <p className={classes['token']}>{token}</p>
      <p className="small">
        {t('tokens.address')} <span className={classes['token']}>{address}</span>
      </p>
      <span className="row wrap">
        <Button onClick={() => void copyText(token, { done: t('tokens.copied'), failed: t('tokens.notCopied') })}>
          {t('tokens.copy')}
        </Button>
        <Button look="primary" onClick={onKept}>
          {t('tokens.kept')}
        </Button>
      </span>
    </section>
  )
}

function Row({ token }: { token: PersonalToken }) {
  const { t } = useTranslation('account')
  const cache = useQueryClient()
  const [asking, setAsking] = useState(false)
  const end = useMutation({
    mutationFn: () => unwrap(api.DELETE('/api/v1/me/tokens/{id}', { params: { path: { id: token.id } } })),
    onSuccess: () => toast({ text: t('tokens.ended', { name: token.name }) }),
    onError: (failure) => toastError(problemText(failure)),
    onSettled: () => cache.invalidateQueries({ queryKey: tokensKey }),
  })
  const used = token.last_used_at == null ? t('tokens.neverUsed') : t('tokens.used', { when: format.ago(token.last_used_at) })
  return (
    <li>
      <span className={classes['device']}>
        <span className="row wrap">
          <strong>{token.name}</strong>
          <Badge tone="neutral">{t(token.scopes.includes('propose') ? 'tokens.scope.propose' : 'tokens.scope.read')}</Badge>
        </span>
        <span className="small muted">{t('tokens.times', { until: format.day(token.expires_at), used })}</span>
      </span>
      <Button size="small" busy={end.isPending} onClick={() => setAsking(true)} aria-label={t('tokens.endOne', { name: token.name })}>
        {t('tokens.end')}
      </Button>
      {asking && (
        <ConfirmDialog
          opened
          onClose={() => setAsking(false)}
          title={t('tokens.endOne', { name: token.name })}
          confirm={t('tokens.endNow')}
          danger
          onConfirm={() => {
            setAsking(false)
            end.mutate()
          }}
        >
          <p>{t('tokens.endAsk')}</p>
        </ConfirmDialog>
      )}
    </li>
  )
}
