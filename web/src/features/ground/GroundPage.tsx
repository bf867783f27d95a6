import IconCompass from '@tabler/icons-react/dist/esm/icons/IconCompass.mjs'
import type { QueryClient } from '@tanstack/react-query'
import { useTranslation } from '@/i18n'
import { EntryList } from '@/records/ground/EntryList'
import { entriesQuery } from '@/records/ground/queries'
import resourceClasses from '@/records/resource/resource.module.css'
import { ButtonAnchor } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { PageHeader } from '@/ui/PageHeader'
import { usePageMeta } from '@/ui/page-meta'

export const texts = ['groundEntries', 'reviews', 'closures']

export const load = ({ queryClient }: { queryClient: QueryClient }) =>
  queryClient.ensureQueryData(entriesQuery({ view: 'waiting', page: 1 }))

/** `/releves`: what came from the ground, what was not reviewed first. */
export function Page() {
  const { t } = useTranslation('groundEntries')
  usePageMeta([{ label: t('title') }])
  return (
    <div className={resourceClasses['page']}>
      <PageHeader
        title={t('title')}
        facts={t('lead')}
        actions={
          <ButtonAnchor href="/terrain/" icon={<IconCompass size={18} stroke={1.75} aria-hidden />}>
            {t('open')}
          </ButtonAnchor>
        }
      />
      <div className={resourceClasses['body']}>
        <Card>
          <EntryList />
        </Card>
      </div>
    </div>
  )
}
