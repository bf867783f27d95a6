import { useQueryClient } from '@tanstack/react-query'
import { useCallback, type ReactNode } from 'react'
import { api, unwrap } from '@/api/client'
import type { TransportFeed } from '@/api/types'
import { useMe } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { toast } from '@/ui/feedback/toast'
import { SelectField, SwitchField } from '@/records/form/choice-fields'
import { TextField } from '@/records/form/fields'
import { useField } from '@/records/form/form-context'
import type { Values } from '@/records/form/paths'
import { ResourceForm, SaveButton } from '@/records/form/ResourceForm'
import type { ResourceForm as Form } from '@/records/form/useResourceForm'
import { reportForgottenKey } from '@/records/key/forgotten-key'
import { FileField } from '@/records/source/FileField'
import { fileOf, useSourceForm } from '@/records/source/useSourceForm'
import { feedQuery, refresh, startRun } from './transport'
import classes from './transport.module.css'

const schedules = ['never', 'hourly', 'daily', 'weekly'] as const

interface Props {
  feed: TransportFeed | null
  /** Called after a feed was created. */
  onMade?: (made: TransportFeed) => void
  /** More actions; of a form that is given up, what was typed goes with it. */
  children: (form: Form<TransportFeed, Values>) => ReactNode
}

/** The settings of a feed: its name, its address, its interval. */
export function FeedForm({ feed, onMade, children }: Props) {
  const { t } = useTranslation('transport')
  const me = useMe()
  const cache = useQueryClient()
  const form = useSourceForm<TransportFeed>({
    kind: 'transport_feed',
    base: '/api/v1/transport-feeds',
    sendFile: (saved, file) => unwrap(api.PUT('/api/v1/transport-feeds/{id}/file', fileOf(saved, file))),
    record: feed,
    toValues: (record) => ({
      name: record?.name ?? '',
      url: record?.url ?? null,
      schedule: record?.schedule ?? 'weekly',
      notify_email: record?.notify_email ?? null,
      show_stops: record?.show_stops ?? true,
    }),
    onMade: (made) => startRun(made.id),
    onSaved: (saved, before) => {
      if (before !== null) {
        cache.setQueryData(feedQuery(saved.id).queryKey, saved)
        toast({ text: t('saved') })
        reportForgottenKey(before, saved)
      }
      void refresh(cache)
      if (before === null) onMade?.(saved)
    },
  })
  const fieldLabel = useCallback((path: string) => t(`field.${path as 'name'}`), [t])
  return (
    <ResourceForm
      form={form}
      saveError={t('saveError')}
      fieldLabel={fieldLabel}
      savedBy={({ updated_by: by, updated_at: at }: TransportFeed) => ({
        name: by?.id === me.id ? t('resource:yourself') : (by?.name ?? t('resource:someone')),
        at,
      })}
    >
      <Fields form={form} there={feed?.file?.name}>
        {children(form)}
      </Fields>
    </ResourceForm>
  )
}

function Fields({ form, there, children }: { form: Form<TransportFeed, Values>; there: string | undefined; children: ReactNode }) {
  const { t } = useTranslation('transport')
  const name = useField<string>('name').value
  const hasAddress = (useField<string | null>('url').value ?? '') !== ''
  const file = useField<unknown>('file').value
  const filled = name.trim() !== '' && (hasAddress || file instanceof File || there !== undefined)
  const lacks = filled ? {} : { disabledReason: t('fill'), reasonShown: true }
  return (
    <div className={classes['form']}>
      <TextField name="name" label={t('field.name')} required hint={t('hint.name')} />
      <TextField name="url" label={t('field.url')} hint={t('hint.url')} type="url" inputMode="url" />
      {!hasAddress && (
        <FileField
          label={t('field.file')}
          hint={there === undefined ? t('hint.fileNone') : t('hint.file', { name: there })}
          accept=".zip,application/zip"
        />
      )}
      <SelectField
        name="schedule"
        label={t('field.schedule')}
        choices={schedules.map((value) => ({ value, label: t(`every.${value}`) }))}
      />
      <SwitchField name="show_stops" label={t('field.show_stops')} hint={t('hint.show_stops')} />
      <TextField name="notify_email" label={t('field.notify_email')} type="email" />
      <div className={classes['actions']}>
        {children}
        {form.isNew ? (
          <Button type="submit" look="primary" busy={form.saving} {...lacks}>
            {t('create')}
          </Button>
        ) : (
          <SaveButton form={form} {...lacks} />
        )}
      </div>
    </div>
  )
}
