import { useQueryClient } from '@tanstack/react-query'
import { api, ifMatch, unwrap } from '@/api/client'
import type { WhiteLabel } from '@/api/types'
import { useCan } from '@/api/session'
import { useTranslation } from '@/i18n'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { RecordField } from '@/records/form/record-fields'
import classes from '@/records/resource/resource.module.css'
import { SecretKey } from '@/records/key/SecretKey'

/** The service that translates the texts, and an API key that replaces the platform's. */
export function TranslationKey({ record, label }: { record: WhiteLabel; label: string }) {
  const { t } = useTranslation('whiteLabels')
  const may = useCan('settings.manage')
  const mayMake = useCan('translators.manage')
  const cache = useQueryClient()
  const isSet = record.translation_key_set
  const params = { path: { id: record.id }, header: ifMatch(record.version) }
  return (
    <div className={classes['stack']}>
      <RecordField name="translator_id" label={label} resource="translator" hint={t('translation.translatorHint')} />
      <span className="row wrap">
        {record.translator_id !== null && (
          <ButtonLink size="small" to="/settings/traducteurs/$id" params={{ id: String(record.translator_id) }}>
            {t('translation.open')}
          </ButtonLink>
        )}
        {mayMake && (
          <ButtonLink size="small" look="ghost" to="/settings/traducteurs/new">
            {t('translation.new')}
          </ButtonLink>
        )}
      </span>
      <SecretKey
        save={(key) => unwrap(api.PUT('/api/v1/white-labels/{id}/translation-key', { params, body: { key } }))}
        forget={() => unwrap(api.DELETE('/api/v1/white-labels/{id}/translation-key', { params }))}
        isSet={isSet}
        reason={may ? undefined : t('resource:notAllowed')}
        onSettled={() => cache.invalidateQueries({ queryKey: ['white_label'] })}
        words={{
          title: t('translation.title'),
          state: t(isSet ? 'translation.isSet' : 'translation.none'),
          set: t('translation.set'),
          renew: t('translation.renew'),
          drop: t('translation.drop'),
          breaks: t('translation.breaks'),
          hint: t('translation.hint'),
          typeIt: t('translation.typeIt'),
          save: t('translation.save'),
          saved: t('translation.saved'),
          dropped: t('translation.dropped'),
          failed: t('translation.failed'),
        }}
      />
    </div>
  )
}
