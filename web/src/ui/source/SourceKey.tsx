import { useTranslation } from '@/i18n'
import { SecretKey } from '@/ui/resource/SecretKey'

interface Props {
  /** `/api/v1/import-sources/12` */
  path: string
  record: { version: number; url: string | null; credential_set: boolean }
  onSettled: () => Promise<unknown>
}

/** The key of a source that is asked by its address: encrypted when it comes in, valid for the server of that address alone. */
export function SourceKey({ path, record, onSettled }: Props) {
  const { t } = useTranslation('resource')
  const isSet = record.credential_set
  return (
    <SecretKey
      heading="h2"
      path={`${path}/credential`}
      version={record.version}
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
