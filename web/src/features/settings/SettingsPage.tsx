import { useTranslation } from '@/i18n'
import { PageHeader } from '@/ui/PageHeader'
import { usePageMeta } from '@/ui/page-meta'
import { Card } from '@/ui/Card'
import { useMe } from '@/api/session'
import { useQuery } from '@tanstack/react-query'
import { vocabularyQuery } from '@/ui/form/vocabulary'
import type { VocabularyKind } from '@/api/model'
import { textOf } from '@/ui/format'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { Banner } from '@/ui/feedback/Banner'
import { problemText } from '@/ui/problem-text'
import { Count } from '@/ui/badge/Badge'
import classes from './settings.module.css'

export const texts = ['settings']

const kinds: readonly VocabularyKind[] = ['practice_type', 'level', 'parcours_theme', 'tag', 'marking', 'equipment', 'poi_category', 'poi_theme']

/** Settings: one's structure and white-labels, and the reference lists in use, to be read. */
export function Page() {
  const { t } = useTranslation('settings')
  const me = useMe()
  usePageMeta([{ label: t('organisation') }, { label: t('title') }])
  return (
    <>
      <PageHeader title={t('title')} facts={me.structure.name} />
      <div className={classes['page']}>
        <p className="muted">{t('lead')}</p>
        <Card title={t('whiteLabels')}>
          <ul className={classes['names']}>
            {me.white_labels.map(({ id, name }) => (
              <li key={id}>
                {name}
                {id === me.active_white_label_id && <span className="small muted"> {t('active')}</span>}
              </li>
            ))}
          </ul>
        </Card>
        <h2>{t('lists')}</h2>
        <div className={classes['lists']}>
          {kinds.map((kind) => (
            <ReferenceList key={kind} kind={kind} />
          ))}
        </div>
      </div>
    </>
  )
}

function ReferenceList({ kind }: { kind: VocabularyKind }) {
  const { t } = useTranslation('settings')
  const { data, error } = useQuery(vocabularyQuery(kind))
  return (
    <Card
      title={
        <>
          {t(`kinds.${kind}`)} {data && <Count>{data.length}</Count>}
        </>
      }
    >
      {error && (
        <Banner tone="danger" live="alert">
          {problemText(error)}
        </Banner>
      )}
      {!data && !error && <Skeleton height={40} />}
      {data && <p className="small muted">{data.length === 0 ? t('emptyList') : data.map(({ label, code }) => textOf(label, code)).join(', ')}</p>}
    </Card>
  )
}
