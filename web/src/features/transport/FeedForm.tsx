import { useState, type ReactNode } from 'react'
import type { TransportFeedOptions } from '@/api/model'
import { ProblemError } from '@/api/problem'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { Field } from '@/ui/field/Field'
import { SelectInput, Switch, TextInput } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { faultText, problemText } from '@/ui/problem-text'
import classes from './transport.module.css'

const schedules = ['never', 'hourly', 'daily', 'weekly'] as const
const blank: TransportFeedOptions = { name: '', url: null, schedule: 'weekly', notify_email: null, show_stops: true }

interface FormProps {
  initial?: TransportFeedOptions
  /** The file that was brought before. */
  there?: string | undefined
  error: unknown
  busy: boolean
  submit: string
  children?: ReactNode
  onSave: (values: TransportFeedOptions, file: File | null) => void
}

/** What is set of a feed: its name, where it is, how often it is read. */
export function FeedForm({ initial = blank, there, error, busy, submit, children, onSave }: FormProps) {
  const { t } = useTranslation('transport')
  const { name, url, schedule, notify_email: email, show_stops: shows } = initial
  const [draft, setDraft] = useState<TransportFeedOptions>({ name, url, schedule, notify_email: email, show_stops: shows })
  const [file, setFile] = useState<File | null>(null)
  const change = (patch: Partial<TransportFeedOptions>) => setDraft({ ...draft, ...patch })
  const faults: Record<string, string> = error instanceof ProblemError ? Object.fromEntries(error.faults.map((fault) => [fault.field?.split('/')[1] ?? '', faultText(fault)])) : {}
  const filled = draft.name.trim() !== '' && (draft.url !== null || file !== null || there !== undefined)
  return (
    <form
      className={classes['form']}
      onSubmit={(event) => {
        event.preventDefault()
        if (filled) onSave(draft, draft.url === null ? file : null)
      }}
    >
      {error != null && (
        <Banner tone="danger" live="alert">
          {format.labelled(t('saveError'), Object.values(faults).join(' ') || problemText(error))}
        </Banner>
      )}
      <Field label={t('field.name')} required hint={t('hint.name')} error={faults['name']} path="name">
        {(wiring) => <TextInput {...wiring} value={draft.name} onChange={(next) => change({ name: next })} maxLength={200} />}
      </Field>
      <Field label={t('field.url')} hint={t('hint.url')} error={faults['url']} path="url">
        {(wiring) => <TextInput {...wiring} type="url" inputMode="url" value={draft.url ?? ''} onChange={(next) => change({ url: next === '' ? null : next })} />}
      </Field>
      {draft.url === null && (
        <Field label={t('field.file')} hint={there === undefined ? t('hint.fileNone') : t('hint.file', { name: there })}>
          {(wiring) => <input {...wiring} type="file" accept=".zip,application/zip" onChange={(event) => setFile(event.currentTarget.files?.[0] ?? null)} />}
        </Field>
      )}
      <Field label={t('field.schedule')}>
        {(wiring) => (
          <SelectInput {...wiring} value={draft.schedule} onChange={(value) => change({ schedule: schedules.find((one) => one === value) ?? 'never' })} choices={schedules.map((value) => ({ value, label: t(`every.${value}`) }))} />
        )}
      </Field>
      <Switch label={t('field.show_stops')} hint={t('hint.show_stops')} checked={draft.show_stops} onChange={(on) => change({ show_stops: on })} />
      <Field label={t('field.notify_email')} error={faults['notify_email']} path="notify_email">
        {(wiring) => <TextInput {...wiring} type="email" value={draft.notify_email ?? ''} onChange={(next) => change({ notify_email: next === '' ? null : next })} />}
      </Field>
      <div className={classes['actions']}>
        {children}
        <Button type="submit" look="primary" busy={busy} {...(filled ? {} : { disabledReason: t('fill'), reasonShown: true })}>
          {submit}
        </Button>
      </div>
    </form>
  )
}
