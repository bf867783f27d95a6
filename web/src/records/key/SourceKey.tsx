import { api, ifMatch, unwrap } from '@/api/client'
import { useTranslation } from '@/i18n'
import { SecretKey } from './SecretKey'

interface Props {
  path: '/api/v1/import-sources/{id}/credential' | '/api/v1/sit-sources/{id}/credential' | '/api/v1/transport-feeds/{id}/credential'
  record: { id: number; version: number; url: string | null; credential_set: boolean }
  onSettled: () => Promise<unknown>
}

/** The key of a source with an address: encrypted when it is received, and valid only for the server of that address. */
export function SourceKey({ path, record, onSettled }: Props) {
  const { t } = useTranslation('resource')
  const isSet = record.credential_set
  const params = { path: { id: record.id }, header: ifMatch(record.version) }
  return (
    <SecretKey
      heading="h2"
      save={(key) => unwrap(api.PUT(path, { params, body: { key } }))}
      forget={() => unwrap(api.DELETE(path, { params }))}
      isSet={isSet}
      reason={record.url === null ? t('sourceKey.addressFirst') : undefined}
      onSettled={onSettled}
      words={{
        title: t('sourceKey.title'),
        state: t(isSet ? 'sourceKey.isSet' : 'sourceKey.none'),
        set: t('sourceKey.set'),
        renew: t('sourceKey.renew'),
        drop: t('sourceKey.drop'),
        breaks: t('sourceKey.breaks'),
        hint: t('sourceKey.hint'),
        typeIt: t('sourceKey.typeIt'),
        save: t('sourceKey.save'),
        saved: t('sourceKey.saved'),
        dropped: t('sourceKey.dropped'),
        failed: t('sourceKey.failed'),
      }}
    />
  )
}
