import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { Closure, FieldReport } from '@/api/types'
import { api, unwrap } from '@/api/client'
import { useTranslation } from '@/i18n'
import { Banner } from '@/ui/feedback/Banner'
import { useField } from '@/records/form/form-context'
import classes from './closures.module.css'

const reportQuery = (parcours: string, report: string) =>
  queryOptions({
    queryKey: ['parcours', Number(parcours), 'field-report', report],
    queryFn: () =>
      unwrap(
        api.GET('/api/v1/parcours/{id}/field-reports/{report_id}', {
          params: { path: { id: Number(parcours), report_id: Number(report) } },
        }),
      ),
  })

/** The report that the closure answers: what was sent, its photo, and the way back to it. */
export function AnsweredReport({ record }: { record: Closure | null }) {
  const search: Record<string, string> = useSearch({ strict: false })
  const id = useField<number | null>('report_id').value
  if (record !== null) return record.report === null ? null : <ReportBanner report={record.report} parcours={record.report.parcours_id} />
  return id === null || search['parcours'] === undefined ? null : <ReportOfAddress parcours={search['parcours']} report={String(id)} />
}

function ReportOfAddress({ parcours, report }: { parcours: string; report: string }) {
  const { data } = useQuery(reportQuery(parcours, report))
  return data === undefined ? null : <ReportBanner report={data} parcours={Number(parcours)} />
}

function ReportBanner({
  report: { text, language, photo_url: photo },
  parcours,
}: {
  report: Pick<FieldReport, 'text' | 'language' | 'photo_url'>
  parcours: number
}) {
  const { t } = useTranslation('closures')
  return (
    <Banner tone="info">
      <div className={classes['report']}>
        {photo !== null && (
          <a href={photo} target="_blank" rel="noopener">
            <img src={photo} alt={t('report.photo')} loading="lazy" />
          </a>
        )}
        <div>
          <p>
            {t('report.answers')}{' '}
            <Link to="/parcours/$id" params={{ id: String(parcours) }} search={{ tab: 'reviews' }}>
              {t('report.see')}
            </Link>
          </p>
          {text !== '' && <q lang={language}>{text}</q>}
        </div>
      </div>
    </Banner>
  )
}
