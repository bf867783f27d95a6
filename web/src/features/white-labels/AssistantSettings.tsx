import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AssistantSettings as Settings, WhiteLabel } from '@/api/types'
import { isStale, ProblemError } from '@/api/problem'
import { api, ifMatch, unwrap } from '@/api/client'
import { useCan } from '@/api/session'
import { ensureTexts, useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { toast, toastError } from '@/ui/feedback/toast'
import { Field } from '@/ui/field/Field'
import { Checkbox, TextInput } from '@/ui/field/inputs'
import { NumberBox, unreadFault } from '@/ui/field/NumberBox'
import { format } from '@/ui/format'
import { faultText, problemText } from '@/records/problem-text'
import { reportForgottenKey } from '@/records/key/forgotten-key'
import { isEditable } from '@/records/resource/define'
import classes from '@/records/resource/resource.module.css'
import { SecretKey } from '@/records/key/SecretKey'

/** The model that writes a white-label's texts, its key and its limit. It is saved separately from the sheet. */
export function AssistantSettings({ record }: { record: WhiteLabel }) {
  // Asking for another structure’s settings is refused, and noted in the journal.
  const may = useCan('settings.manage') && isEditable(record)
  const params = { path: { id: record.id } }
  const set = useQuery({
    queryKey: ['assistant', 'settings', record.id],
    queryFn: async () => {
      const [settings] = await Promise.all([unwrap(api.GET('/api/v1/white-labels/{id}/assistant', { params })), ensureTexts('assistant')])
      return settings
    },
    enabled: may,
  }).data
  if (set === undefined) return null
  return <Form key={record.id} set={set} record={record} />
}

/** What is typed and not saved yet. */
type Changes = Partial<{ enabled: boolean; base_url: string; model: string; monthly_tokens: number | null }>

function Form({ set, record }: { set: Settings; record: WhiteLabel }) {
  const params = { path: { id: record.id } }
  const versioned = { ...params, header: ifMatch(record.version) }
  const { t } = useTranslation('assistant')
  const cache = useQueryClient()
  const [changes, setChanges] = useState<Changes>({})
  /** The typed limit that is no whole number. */
  const [unread, setUnread] = useState<string | null>(null)
  const change = (part: Changes) => setChanges((now) => ({ ...now, ...part }))
  const fetched = { enabled: set.enabled, base_url: set.base_url ?? '', model: set.model ?? '', monthly_tokens: set.monthly_tokens }
  // What is typed stays when the settings are fetched again; every other field follows the server.
  const draft = { ...fetched, ...changes }
  // The settings and the key are part of the white-label's version.
  const renew = () => Promise.all(['assistant', 'white_label'].map((first) => cache.invalidateQueries({ queryKey: [first] })))
  const save = useMutation({
    mutationFn: (sent: Changes) =>
      unwrap(api.PUT('/api/v1/white-labels/{id}/assistant', { params: versioned, body: { ...fetched, ...sent } })),
    onSuccess: (saved, sent) => {
      toast({ text: t('settings.saved') })
      reportForgottenKey(set, saved)
      cache.setQueryData(['assistant', 'settings', record.id], saved)
      // What was typed while it was being saved stays.
      setChanges((now) => (now === sent ? {} : now))
      return renew()
    },
    onError: async (error) => {
      // The last version is fetched; what was typed stays.
      if (isStale(error)) await renew()
    },
  })
  const test = useMutation({
    mutationFn: () => unwrap(api.POST('/api/v1/white-labels/{id}/assistant/test', { params })),
    onSuccess: ({ models }) => toast({ text: t('settings.works', { count: models.length, models: format.list(models.slice(0, 6)) }) }),
    onError: (error) => toastError(problemText(error)),
  })
  const faultOf = (field: string) => {
    const fault = save.error instanceof ProblemError ? save.error.faults.find((one) => one.field === field) : undefined
    return fault === undefined ? undefined : faultText(fault)
  }
  const loose = save.error !== null && !(save.error instanceof ProblemError && save.error.faults.length > 0)
  const isSet = set.key_hint !== null
  return (
    <div className={classes['stack']}>
      <h3>{t('settings.title')}</h3>
      <p className="small muted">{t('settings.lead')}</p>
      {loose && (
        <Banner tone="danger" live="alert">
          {isStale(save.error) ? t('settings.stale') : problemText(save.error)}
        </Banner>
      )}
      <Checkbox
        checked={draft.enabled}
        onChange={(enabled) => change({ enabled })}
        label={t('settings.enabled')}
        hint={t('settings.enabledHint')}
      />
      <div className={classes['three']}>
        <Field label={t('settings.baseUrl')} hint={t('settings.baseUrlHint')} error={faultOf('base_url')}>
          {(wiring) => (
            <TextInput
              {...wiring}
              type="url"
              inputMode="url"
              value={draft.base_url}
              onChange={(base_url) => change({ base_url })}
              placeholder="https://api.mistral.ai/v1"
            />
          )}
        </Field>
        <Field label={t('settings.model')} error={faultOf('model')}>
          {(wiring) => (
            <TextInput {...wiring} value={draft.model} onChange={(model) => change({ model })} placeholder="mistral-small-latest" />
          )}
        </Field>
        <NumberBox
          label={t('settings.monthly')}
          hint={t('settings.used', { used: format.number(set.used_tokens) })}
          error={faultOf('monthly_tokens')}
          value={draft.monthly_tokens}
          unread={unread}
          onUnreadable={setUnread}
          onChange={(monthly_tokens) => change({ monthly_tokens })}
        />
      </div>
      <span className="row wrap">
        <Button
          size="small"
          look="soft"
          busy={save.isPending}
          disabledReason={unread === null ? undefined : unreadFault(unread)}
          onClick={() => save.mutate(changes)}
        >
          {t('settings.save')}
        </Button>
        <Button
          size="small"
          busy={test.isPending}
          disabledReason={set.base_url === null || set.model === null ? t('settings.saveFirst') : undefined}
          onClick={() => test.mutate()}
        >
          {t('settings.test')}
        </Button>
      </span>
      <SecretKey
        save={(key) => unwrap(api.PUT('/api/v1/white-labels/{id}/assistant/key', { params: versioned, body: { key } }))}
        forget={() => unwrap(api.DELETE('/api/v1/white-labels/{id}/assistant/key', { params: versioned }))}
        isSet={isSet}
        onSettled={renew}
        words={{
          title: t('key.title'),
          state: isSet ? t('key.isSet') : t('key.none'),
          set: t('key.set'),
          renew: t('key.renew'),
          drop: t('key.drop'),
          breaks: t('key.breaks'),
          hint: t('key.hint'),
          typeIt: t('key.typeIt'),
          save: t('key.save'),
          saved: t('key.saved'),
          dropped: t('key.dropped'),
          failed: t('key.failed'),
        }}
      />
    </div>
  )
}
