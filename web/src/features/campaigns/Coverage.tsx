import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useCan } from '@/api/session'
import type { SurveyCampaign, SurveyedStretch } from '@/api/types'
import { useTranslation } from '@/i18n'
import { problemText } from '@/records/problem-text'
import { ButtonAnchor } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { ErrorIsland } from '@/ui/feedback/ErrorIsland'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { format, textOf } from '@/ui/format'
import classes from './campaigns.module.css'
import { coverageQuery } from './queries'

const CoverageMap = lazy(() => import('./CoverageMap'))

const columns = ['parcours', 'stretch', 'who', 'surveyed', 'last'] as const

/** What was surveyed of a saved campaign, on the map and stretch by stretch. */
export function Coverage({ record }: { record: SurveyCampaign | null }) {
  const { t } = useTranslation('campaigns')
  const mayExport = useCan('content.export')
  const { data: stretches, error } = useQuery(coverageQuery(record?.id ?? 0, record?.version ?? 0))
  if (error) return <Banner tone="danger">{problemText(error)}</Banner>
  if (record === null || stretches === undefined) return <Skeleton height={360} />
  if (stretches.length === 0) return <p className="muted">{t('nothing')}</p>
  const file = (ending: 'csv' | 'geojson') => (
    <ButtonAnchor
      size="small"
      href={`/api/v1/survey-campaigns/${record.id}/coverage.${ending}`}
      download
      icon={<IconDownload size={16} stroke={1.75} aria-hidden />}
    >
      {t(ending)}
    </ButtonAnchor>
  )
  return (
    <div className={classes['field']}>
      <ErrorIsland>
        <Suspense fallback={<Skeleton height={360} />}>
          <CoverageMap stretches={stretches} />
        </Suspense>
      </ErrorIsland>
      <table className={classes['table']}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {t(`column.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {stretches.map((one, at) => (
            <Row key={`${at} ${one.parcours?.id}`} stretch={one} isWhole={record.stretches[at]?.from_m == null} />
          ))}
        </tbody>
      </table>
      {mayExport && (
        <div className={classes['files']}>
          {file('csv')}
          {file('geojson')}
        </div>
      )}
    </div>
  )
}

function Row({ stretch, isWhole }: { stretch: SurveyedStretch; isWhole: boolean }) {
  const { t } = useTranslation('campaigns')
  const { parcours, user, length_m: all, surveyed_m: done, parts } = stretch
  const [first, last] = [parts[0], parts.at(-1)]
  const surveys = parts.flatMap(({ surveyed_at: at, surveyed_by: by }) => (at === null ? [] : [{ at, by }]))
  const latest = surveys.reduce<(typeof surveys)[number] | undefined>((best, one) => (best && best.at >= one.at ? best : one), undefined)
  return (
    <tr>
      <th scope="row">
        {parcours === null ? (
          <span className="muted">{t('gone')}</span>
        ) : (
          <Link to="/parcours/$id" params={{ id: String(parcours.id) }}>
            {textOf(parcours.title)}
          </Link>
        )}
      </th>
      <td data-label={t('column.stretch')}>
        {isWhole || first === undefined || last === undefined
          ? t('whole')
          : t('stretch', { from: format.km(first.from_m), to: format.km(last.to_m) })}
      </td>
      <td data-label={t('column.who')}>{user === null ? t('anybody') : user.name}</td>
      <td className="num" data-label={t('column.surveyed')}>
        {all === 0 ? '–' : `${t('progressOf', { done: format.km(done), all: format.km(all) })} (${format.percent((100 * done) / all, 0)})`}
      </td>
      <td data-label={t('column.last')}>
        {latest === undefined ? (
          <span className="muted">{t('never')}</span>
        ) : latest.by === null ? (
          format.day(latest.at)
        ) : (
          t('lastBy', { day: format.day(latest.at), name: latest.by.name })
        )}
      </td>
    </tr>
  )
}
