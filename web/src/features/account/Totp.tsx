import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCircleDashed from '@tabler/icons-react/dist/esm/icons/IconCircleDashed.mjs'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { ProblemError } from '@/api/problem'
import { api, unwrap, type Answer } from '@/api/client'
import { meQuery, useMe } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { Button } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { copyText } from '@/ui/copy'
import { Dialog } from '@/ui/dialog/Dialog'
import { Banner } from '@/ui/feedback/Banner'
import { toast, toastError } from '@/ui/feedback/toast'
import { Field } from '@/ui/field/Field'
import { PasswordInput } from '@/ui/field/inputs'
import { TotpField } from '@/ui/field/TotpField'
import { problemText } from '@/records/problem-text'
import classes from './account.module.css'

type Offer = Answer<'/api/v1/me/totp', 'post'>

/** The second step at sign-in: set up with a phone, shown, switched off. */
export function Totp() {
  const { t } = useTranslation('account')
  const me = useMe()
  const on = me.totp_enabled
  const [offer, setOffer] = useState<Offer | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [leaving, setLeaving] = useState(false)
  const cache = useQueryClient()
  const renew = () => cache.refetchQueries({ queryKey: meQuery.queryKey })
  const begin = useMutation({
    mutationFn: () => unwrap(api.POST('/api/v1/me/totp')),
    onSuccess: setOffer,
    onError: (error) => toastError(problemText(error)),
  })
  return (
    <Card
      title={t('totp.title')}
      aside={
        <Badge tone={on ? 'ok' : 'neutral'} icon={on ? IconCircleCheck : IconCircleDashed}>
          {t(on ? 'totp.on' : 'totp.off')}
        </Badge>
      }
    >
      <div className={classes['stack']}>
        <p>{t('totp.what')}</p>
        {codes !== null && <Codes codes={codes} onKept={() => setCodes(null)} />}
        {codes === null && offer !== null && (
          <SetUp
            offer={offer}
            onCancel={() => setOffer(null)}
            onDone={(given) => {
              setOffer(null)
              setCodes(given)
              toast({ text: t('totp.done') })
              void renew()
            }}
          />
        )}
        {codes === null && offer === null && !on && (
          <Button look="primary" busy={begin.isPending} onClick={() => begin.mutate()}>
            {t('totp.begin')}
          </Button>
        )}
        {codes === null && on && <Button onClick={() => setLeaving(true)}>{t('totp.end')}</Button>}
      </div>
      {leaving && (
        <SwitchOff
          required={me.totp_required}
          onClose={() => setLeaving(false)}
          onDone={() => {
            setLeaving(false)
            toast({ text: t('totp.ended') })
            void renew()
          }}
        />
      )}
    </Card>
  )
}

/** The QR code for the phone, the same secret as text, and the field for the code that confirms it. */
function SetUp({ offer, onCancel, onDone }: { offer: Offer; onCancel: () => void; onDone: (codes: readonly string[]) => void }) {
  const { t } = useTranslation('account')
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')
  const send = useMutation({
    mutationFn: () => unwrap(api.PUT('/api/v1/me/totp', { body: { code: code.replaceAll(' ', ''), password } })),
    onSuccess: ({ recovery_codes: codes }) => onDone(codes),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (missing === undefined) send.mutate()
  }
  const problem = send.error === null ? undefined : problemText(send.error)
  const atPassword = send.error instanceof ProblemError && send.error.field === '/password'
  const missing = !/^\d{6}$/.test(code.replaceAll(' ', '')) ? t('totp.sixFigures') : password === '' ? t('totp.passwordFirst') : undefined
  return (
    <form className={classes['stack']} onSubmit={submit}>
      <ol className={classes['steps']}>
        <li>{t('totp.step1')}</li>
        <li>
          {t('totp.step2')}
          {/* The drawing is our server's own. */}
          <div className={classes['qr']} role="img" aria-label={t('totp.qr')} dangerouslySetInnerHTML={{ __html: offer.qr_svg }} />
          <p className="small muted">{t('totp.byHand')}</p>
          <p className={classes['secret']}>{offer.secret.replace(/(.{4})(?=.)/g, '$1 ')}</p>
        </li>
        <li>
          {t('totp.step3')}
          <TotpField
            value={code}
            onChange={setCode}
            label={t('totp.code')}
            hint={t('totp.codeHint')}
            error={atPassword ? undefined : problem}
          />
        </li>
      </ol>
      <Field label={t('totp.yourPassword')} hint={t('totp.passwordHint')} error={atPassword ? problem : undefined} required>
        {(wiring) => <PasswordInput {...wiring} autoComplete="current-password" value={password} onChange={setPassword} />}
      </Field>
      <span className="row wrap">
        <Button type="submit" look="primary" busy={send.isPending} disabledReason={missing}>
          {t('totp.confirm')}
        </Button>
        <Button look="ghost" onClick={onCancel}>
          {t('common:cancel')}
        </Button>
      </span>
    </form>
  )
}

/** The recovery codes, for a lost phone; shown only once. */
function Codes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const { t } = useTranslation('account')
  const text = codes.join('\n')
  const print = () => {
    const sheet = window.open('', '_blank', 'width=480,height=640')
    if (sheet === null) return toastError(t('totp.noPrint'))
    const list = sheet.document.createElement('pre')
    list.style.font = '16px/28px monospace'
    list.textContent = `${t('totp.codesTitle')}\n\n${text}`
    sheet.document.title = t('totp.codesTitle')
    sheet.document.body.append(list)
    sheet.print()
  }
  return (
    <section className={classes['stack']} aria-labelledby="recovery">
      <h3 id="recovery">{t('totp.codesTitle')}</h3>
      <Banner tone="warn" live="status">
        {t('totp.once')}
      </Banner>
      <ul className={classes['codes']}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <span className="row wrap">
        <Button onClick={() => void copyText(text, { done: t('totp.copied'), failed: t('totp.notCopied') })}>{t('totp.copy')}</Button>
        <Button onClick={print}>{t('totp.print')}</Button>
        <Button look="primary" onClick={onKept}>
          {t('totp.kept')}
        </Button>
      </span>
    </section>
  )
}

/** Turns the second factor off, after the password is confirmed. */
function SwitchOff({ required, onClose, onDone }: { required: boolean; onClose: () => void; onDone: () => void }) {
  const { t } = useTranslation('account')
  const [password, setPassword] = useState('')
  const send = useMutation({ mutationFn: () => unwrap(api.DELETE('/api/v1/me/totp', { body: { password } })), onSuccess: onDone })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (password !== '') send.mutate()
  }
  const atPassword = send.error instanceof ProblemError && (send.error.code === 'auth/bad-credentials' || send.error.field === '/password')
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('totp.end')}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button
            look="danger"
            busy={send.isPending}
            disabledReason={password === '' ? t('totp.passwordFirst') : undefined}
            onClick={() => send.mutate()}
          >
            {t('totp.end')}
          </Button>
        </>
      }
    >
      <form className={classes['stack']} onSubmit={submit}>
        <p>{t(required ? 'totp.endRequired' : 'totp.endAsk')}</p>
        {send.error !== null && !atPassword && (
          <Banner tone="danger" live="alert">
            {problemText(send.error)}
          </Banner>
        )}
        <Field label={t('totp.password')} error={atPassword ? t('totp.wrongPassword') : undefined} required>
          {(wiring) => <PasswordInput {...wiring} autoComplete="current-password" value={password} onChange={setPassword} data-autofocus />}
        </Field>
      </form>
    </Dialog>
  )
}
