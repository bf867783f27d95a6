import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import type { Asked } from '@/api/resource'
import { useTranslation } from '@/i18n'
import type { StatisticsBy } from '@/api/types'
import { csvAddress } from './statistics'
import classes from './statistics.module.css'

/** The same figures as a file. */
export function CsvLink({ asked, by, title }: { asked: Asked; by: StatisticsBy | 'day'; title: string }) {
  const { t } = useTranslation('statistics')
  return (
    <a
      className={classes['take']}
      href={csvAddress(asked, by)}
      download
      aria-label={t('chart.csvOf', { title })}
      title={t('chart.csvOf', { title })}
    >
      <IconDownload size={16} stroke={1.75} aria-hidden />
      CSV
    </a>
  )
}
