import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import type { QueryParams } from '@/api/resource'
import { useTranslation } from '@/i18n'
import type { StatisticsBy } from '@/api/types'
import { csvAddress } from './statistics'
import classes from './statistics.module.css'

/** The same figures as a file. */
export function CsvLink({ query, by, title }: { query: QueryParams; by: StatisticsBy | 'day'; title: string }) {
  const { t } = useTranslation('statistics')
  return (
    <a
      className={classes['take']}
      href={csvAddress(query, by)}
      download
      aria-label={t('chart.csvOf', { title })}
      title={t('chart.csvOf', { title })}
    >
      <IconDownload size={16} stroke={1.75} aria-hidden />
      CSV
    </a>
  )
}
