import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconVectorSpline from '@tabler/icons-react/dist/esm/icons/IconVectorSpline.mjs'
import type { ParcoursRow } from '@/api/types'
import { useTranslation } from '@/i18n'
import { format } from '@/ui/format'
import { Ribbon } from '@/records/ribbon/Ribbon'
import classes from './list.module.css'

/** The index with its ribbon, or the reason why there is no index; and when the parcours was last surveyed on the ground. */
export function ReliabilityCell({ row }: { row: ParcoursRow }) {
  const { t } = useTranslation('parcours')
  const { surveyed_at: at } = row
  return (
    <>
      <Index row={row} />
      {at !== null && (
        <span className="small muted" title={format.instant(at)}>
          {t('reliability.surveyed', { ago: format.ago(at) })}
        </span>
      )}
    </>
  )
}

function Index({ row }: { row: ParcoursRow }) {
  const { t } = useTranslation('parcours')
  const { reliability, reliability_state: state } = row
  if (state === 'source') {
    return (
      <span className={classes['without']}>
        <IconVectorSpline size={16} stroke={1.75} aria-hidden />
        {t('reliability.source')}
      </span>
    )
  }
  if (reliability === null)
    return <span className={classes['without']}>{t(state === 'not_calculable' ? 'reliability.notCalculable' : 'reliability.none')}</span>
  const low = state === 'low'
  return (
    <span className={classes['reliability']}>
      <span className="num" data-low={low || undefined}>
        {format.percent(reliability)}
        {low && <IconAlertTriangle size={15} stroke={2} role="img" aria-label={t('reliability.low')} />}
      </span>
      <Ribbon stretches={row.ribbon} />
      {state === 'stale' && <span className={classes['stale']}>{t('reliability.stale')}</span>}
    </span>
  )
}
