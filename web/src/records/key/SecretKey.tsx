import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { isStale, ProblemError } from '@/api/problem'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { ConfirmDialog } from '@/ui/dialog/ConfirmDialog'
import { Dialog } from '@/ui/dialog/Dialog'
import { Banner } from '@/ui/feedback/Banner'
import { toast } from '@/ui/feedback/toast'
import { Field } from '@/ui/field/Field'
import { PasswordInput } from '@/ui/field/inputs'
import { faultText, problemText } from '@/records/problem-text'
import classes from '@/records/resource/resource.module.css'

export interface SecretWords {
  title: string
  /** Whether there is one, in a sentence. */
  state: ReactNode
  set: string
  renew: string
  drop: string
  /** What stops working without it. */
  breaks: string
  hint: string
  typeIt: string
  save: string
  saved: string
  dropped: string
  failed: string
}

interface Props {
  /** Sets it. */
  save: (key: string) => Promise<unknown>
  /** Forgets it. */
  forget: () => Promise<unknown>
  isSet: boolean
  /** Why the user may not change it. */
  reason?: string | undefined
  words: SecretWords
  /** The level of its heading: `h2` right under the page's title. */
  heading?: 'h2' | 'h3'
  /** Fetches the record again: after a change, and where another person saved it meanwhile. */
  onSettled: () => Promise<unknown>
}

/** The key of a service: it can be stored, replaced and deleted, and is never shown. */
export function SecretKey({ save, forget, isSet, reason, words, heading: Heading = 'h3', onSettled }: Props) {
  const [dialog, setDialog] = useState<'set' | 'drop' | null>(null)
  const settled = (text: string) => {
    setDialog(null)
    toast({ text })
    return onSettled()
  }
  // The last version is fetched: over the one that is shown the server would refuse again.
  const refused = async (error: unknown) => {
    if (isStale(error)) await onSettled()
  }
  const drop = useMutation({ mutationFn: () => forget(), onSuccess: () => settled(words.dropped), onError: refused })
  return (
    <div className={classes['stack']}>
      <Heading>{words.title}</Heading>
      <p className="small muted">{words.state}</p>
      <span className="row wrap">
        <Button size="small" disabledReason={reason} onClick={() => setDialog('set')}>
          {isSet ? words.renew : words.set}
        </Button>
        {isSet && (
          <Button size="small" look="ghost" disabledReason={reason} onClick={() => setDialog('drop')}>
            {words.drop}
          </Button>
        )}
      </span>
      {dialog === 'set' && (
        <SetKey
          title={isSet ? words.renew : words.set}
          words={words}
          save={save}
          onClose={() => setDialog(null)}
          onDone={() => void settled(words.saved)}
          onRefused={refused}
        />
      )}
      {dialog === 'drop' && (
        <ConfirmDialog
          opened
          danger
          onClose={() => setDialog(null)}
          title={words.drop}
          confirm={words.drop}
          onConfirm={() => drop.mutateAsync().catch(() => undefined)}
        >
          <div className={classes['stack']}>
            <Refused error={drop.error} words={words} />
            <p>{words.breaks}</p>
          </div>
        </ConfirmDialog>
      )}
    </div>
  )
}

function SetKey({
  title,
  words,
  save,
  onClose,
  onDone,
  onRefused,
}: {
  title: string
  words: SecretWords
  save: (key: string) => Promise<unknown>
  onClose: () => void
  onDone: () => void
  onRefused: (error: unknown) => Promise<void>
}) {
  const { t } = useTranslation()
  const [key, setKey] = useState('')
  const send = useMutation({ mutationFn: () => save(key), onSuccess: onDone, onError: onRefused })
  const fault = send.error instanceof ProblemError ? send.error.faults[0] : undefined
  const empty = key.trim() === ''
  return (
    <Dialog
      opened
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button look="primary" busy={send.isPending} disabledReason={empty ? words.typeIt : undefined} onClick={() => send.mutate()}>
            {words.save}
          </Button>
        </>
      }
    >
      <div className={classes['stack']}>
        {fault === undefined && <Refused error={send.error} words={words} />}
        <Field label={words.title} hint={words.hint} error={fault === undefined ? undefined : faultText(fault)} required>
          {(wiring) => (
            <PasswordInput
              {...wiring}
              autoComplete="off"
              value={key}
              onChange={setKey}
              data-autofocus
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                // Enter must not submit the form of the page around this field.
                event.preventDefault()
                if (!empty) send.mutate()
              }}
            />
          )}
        </Field>
      </div>
    </Dialog>
  )
}

function Refused({ error, words }: { error: unknown; words: SecretWords }) {
  const { t } = useTranslation('resource')
  return error === null ? null : (
    <Banner tone="danger" live="alert">
      {t('because', { what: words.failed, why: isStale(error) ? t('keyStale') : problemText(error) })}
    </Banner>
  )
}
