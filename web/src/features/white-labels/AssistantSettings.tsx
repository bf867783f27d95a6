import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AssistantSettings as Settings, WhiteLabel } from '@/api/types'
import { ProblemError } from '@/api/problem'
import { api, ifMatch, unwrap } from '@/api/client'
import { useCan } from '@/api/session'
import { ensureTexts, useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { toast, toastError } from '@/ui/feedback/toast'
import { Field } from '@/ui/field/Field'
import { Checkbox, NumberInput, TextInput } from '@/ui/field/inputs'
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
  // The hint of the key and the use change with other saves: what is typed meanwhile stays.
  const { enabled, base_url, model, monthly_tokens } = set
  return <Form key={JSON.stringify([enabled, base_url, model, monthly_tokens])} set={set} record={record} />
}

function Form({ set, record }: { set: Settings; record: WhiteLabel }) {
  const params = { path: { id: record.id } }
  const keyParams = { ...params, header: ifMatch(record.version) }
  const { t } = useTranslation('assistant')
  const cache = useQueryClient()
  const [draft, setDraft] = useState({
    enabled: set.enabled,
    base_url: set.base_url ?? '',
    model: set.model ?? '',
    monthly_tokens: set.monthly_tokens,
  })
  // The key and the server it is for are part of the white-label's version.
  const renew = () => Promise.all(['assistant', 'white_label'].map((first) => cache.invalidateQueries({ queryKey: [first] })))
  const save = useMutation({
    mutationFn: () => unwrap(api.PUT('/api/v1/white-labels/{id}/assistant', { params, body: draft })),
    onSuccess: (saved) => {
      toast({ text: t('settings.saved') })
      reportForgottenKey(set, saved)
      return renew()
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
          {problemText(save.error)}
        </Banner>
      )}
      <Checkbox
        checked={draft.enabled}
        onChange={(enabled) => setDraft({ ...draft, enabled })}
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
              onChange={(base_url) => setDraft({ ...draft, base_url })}
              placeholder="https://api.mistral.ai/v1"
            />
          )}
        </Field>
        <Field label={t('settings.model')} error={faultOf('model')}>
          {(wiring) => (
            <TextInput
              {...wiring}
              value={draft.model}
              onChange={(model) => setDraft({ ...draft, model })}
              placeholder="mistral-small-latest"
            />
          )}
        </Field>
        <Field
          label={t('settings.monthly')}
          hint={t('settings.used', { used: format.number(set.used_tokens) })}
          error={faultOf('monthly_tokens')}
        >
          {(wiring) => (
            <NumberInput {...wiring} value={draft.monthly_tokens} onChange={(monthly_tokens) => setDraft({ ...draft, monthly_tokens })} />
          )}
        </Field>
      </div>
      <span className="row wrap">
        <Button size="small" look="soft" busy={save.isPending} onClick={() => save.mutate()}>
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
        save={(key) => unwrap(api.PUT('/api/v1/white-labels/{id}/assistant/key', { params: keyParams, body: { key } }))}
        forget={() => unwrap(api.DELETE('/api/v1/white-labels/{id}/assistant/key', { params: keyParams }))}
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
