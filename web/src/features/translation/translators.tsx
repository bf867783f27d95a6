import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Translator } from '@/api/types'
import { api, ifMatch, unwrap } from '@/api/client'
import { useCan } from '@/api/session'
import { textFor, useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { Button } from '@/ui/button/Button'
import { toast, toastError } from '@/ui/feedback/toast'
import { CheckField, SelectField } from '@/records/form/choice-fields'
import { TextField } from '@/records/form/fields'
import { LinesField } from '@/records/form/LinesField'
import { useField } from '@/records/form/form-context'
import { format } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import type { FieldOf, ResourceDef } from '@/records/resource/define'
import { pagesOf } from '@/records/resource/pages'
import classes from '@/records/resource/resource.module.css'
import { SecretKey } from '@/records/key/SecretKey'

const services = ['deepl', 'libretranslate', 'google', 'azure'] as const

/** A translation service: it is opened from a white-label's sheet and has no list page. */
const def: ResourceDef<Translator> = {
  kind: 'translator',
  queryKey: ['translator'],
  base: '/api/v1/translators',
  path: '/settings/marques-blanches',
  placeOf: (id) => `/settings/traducteurs/${id}`,
  area: 'translation',
  group: 'settings',
  may: 'translators.manage',
  abilities: { history: true, uses: true },
  titleOf: ({ name }) => name,
  list: { config: { filterKeys: [], defaultSort: 'title' }, useColumns: () => [] },
  form: {
    plain: true,
    toValues: (record) => ({
      name: record?.name ?? '',
      service: record?.service ?? 'deepl',
      base_url: record?.base_url ?? null,
      region: record?.region ?? null,
      formality: record?.formality ?? 'usual',
      english: record?.english ?? 'american',
      protected: record?.protected ?? [],
      is_default: record?.is_default ?? false,
    }),
    sections: [
      { key: 'service', names: ['name', 'service', 'base_url', 'region', 'formality', 'english', 'is_default'], Fields: Service },
      { key: 'key', names: [], onlySaved: true, Fields: Key },
      { key: 'glossary', names: ['protected'], Fields: Glossary },
    ],
    valueWords: (path, value) =>
      typeof value === 'string' && (path === 'service' || path === 'formality' || path === 'english')
        ? textFor(`translation:${path}.${value}`)
        : undefined,
    Facts: ({ record }) => <Facts record={record} />,
  },
}

function Service({ f, record }: { f: FieldOf; record: Translator | null }) {
  const { t } = useTranslation('translation')
  const { value: service } = useField<string>('service')
  return (
    <>
      <div className={classes['two']}>
        <TextField {...f('name')} required />
        <SelectField
          {...f('service')}
          required
          {...(record === null ? { hint: t('keyLater') } : {})}
          choices={services.map((value) => ({ value, label: t(`service.${value}`) }))}
        />
      </div>
      <div className={classes['two']}>
        <TextField {...f('base_url')} type="url" inputMode="url" required={service === 'libretranslate'} hint={t('baseUrlHint')} />
        {service === 'azure' ? (
          <TextField {...f('region')} hint={t('regionHint')} />
        ) : (
          <SelectField
            {...f('formality')}
            choices={(['usual', 'more', 'less'] as const).map((value) => ({ value, label: t(`formality.${value}`) }))}
          />
        )}
      </div>
      {service === 'deepl' && (
        <SelectField
          {...f('english')}
          choices={(['american', 'british'] as const).map((value) => ({ value, label: t(`english.${value}`) }))}
        />
      )}
      <CheckField {...f('is_default')} hint={t('defaultHint')} />
    </>
  )
}

function Glossary({ f }: { f: FieldOf }) {
  const { t } = useTranslation('translation')
  return <LinesField {...f('protected')} rows={8} hint={t('protectedHint')} placeholder={t('protectedExample')} spellCheck={false} />
}

function Key({ record }: { record: Translator | null }) {
  const { t } = useTranslation('translation')
  const may = useCan('translators.manage')
  const cache = useQueryClient()
  const renew = () => cache.invalidateQueries({ queryKey: ['translator'] })
  const test = useMutation({
    mutationFn: () => unwrap(api.POST('/api/v1/translators/{id}/test', { params: { path: { id: record?.id ?? 0 } } })),
    onSuccess: () => toast({ text: t('test.works') }),
    onError: (error) => toastError(problemText(error)),
    onSettled: renew,
  })
  if (record === null) return null
  const reason = may ? undefined : t('resource:notAllowed')
  const isSet = record.key_hint !== null
  const { used, limit, sent } = record.usage
  const params = { path: { id: record.id }, header: ifMatch(record.version) }
  return (
    <>
      <SecretKey
        save={(key) => unwrap(api.PUT('/api/v1/translators/{id}/key', { params, body: { key } }))}
        forget={() => unwrap(api.DELETE('/api/v1/translators/{id}/key', { params }))}
        isSet={isSet}
        reason={reason}
        onSettled={renew}
        words={{
          title: t('key.title'),
          state: isSet ? t(record.key_hint === '' ? 'key.isSet' : 'key.ends', { hint: record.key_hint ?? '' }) : t('key.none'),
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
      <div className={classes['stack']}>
        <h3>{t('usage.title')}</h3>
        <p className="small">
          {used === null
            ? t('usage.unknown')
            : limit === null
              ? t('usage.used', { used: format.number(used) })
              : t('usage.of', { used: format.number(used), limit: format.number(limit) })}{' '}
          <span className="muted">{t('usage.sent', { sent: format.number(sent) })}</span>
        </p>
        <span className="row wrap">
          <Button
            size="small"
            busy={test.isPending}
            disabledReason={reason ?? (isSet || record.service === 'libretranslate' ? undefined : t('key.none'))}
            onClick={() => test.mutate()}
          >
            {t('test.do')}
          </Button>
        </span>
      </div>
    </>
  )
}

function Facts({ record }: { record: Translator }) {
  const { t } = useTranslation('translation')
  const { check } = record
  return (
    <>
      <Badge>{t(`service.${record.service}`)}</Badge>
      {record.is_default && <Badge tone="info">{t('isDefault')}</Badge>}
      {check === null ? (
        <span className="muted">{t('test.never')}</span>
      ) : (
        <Badge tone={check.code === null ? 'ok' : 'danger'}>
          {t(check.code === null ? 'test.worked' : 'test.failed', { when: format.ago(check.at) })}
        </Badge>
      )}
      {check?.code != null && <span>{textFor(`errors:${check.code}`)}</span>}
    </>
  )
}

export const translators = pagesOf(def)
