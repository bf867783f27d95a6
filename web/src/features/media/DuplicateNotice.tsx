import { Link } from '@tanstack/react-router'
import type { Media } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Banner } from '@/ui/feedback/Banner'

/** Another file of the library has the same bytes. */
export function DuplicateNotice({ record }: { record: Media }) {
  const { t } = useTranslation('media')
  if (record.duplicates.length === 0) return null
  return (
    <Banner>
      {t('duplicates', { count: record.duplicates.length })}{' '}
      {record.duplicates.map((id) => (
        <Link key={id} to="/medias/$id" params={{ id: String(id) }}>
          n° {id}{' '}
        </Link>
      ))}
    </Banner>
  )
}
