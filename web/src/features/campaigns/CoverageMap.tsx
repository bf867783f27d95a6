import { useMemo } from 'react'
import type { SurveyedStretch } from '@/api/types'
import { useTranslation } from '@/i18n'
import { bboxOf } from '@/records/map/geo'
import { TraceLine } from '@/records/map/layers'
import { MapCanvas } from '@/records/map/MapCanvas'
import classes from './campaigns.module.css'

/** Surveyed parts as solid lines, the others as dots. */
export default function CoverageMap({ stretches }: { stretches: readonly SurveyedStretch[] }) {
  const { t } = useTranslation('campaigns')
  const parts = useMemo(() => stretches.flatMap((stretch) => stretch.parts), [stretches])
  const surveyed = useMemo(() => parts.filter(({ surveyed_at: at }) => at !== null).map(({ line }) => line), [parts])
  const waiting = useMemo(() => parts.filter(({ surveyed_at: at }) => at === null).map(({ line }) => line), [parts])
  const bounds = useMemo(() => bboxOf(parts.flatMap(({ line }) => line)), [parts])
  return (
    <div className={classes['map']}>
      <MapCanvas label={t('map')} bounds={bounds} padding={48}>
        <TraceLine id="waiting" kind="unjudged" lines={waiting} />
        <TraceLine id="surveyed" kind="planned" lines={surveyed} />
      </MapCanvas>
      <ul className={classes['legend']} aria-label={t('legend.label')}>
        <li>
          <svg width="28" height="10" aria-hidden="true">
            <path d="M3 5h22" stroke="var(--t-planned)" strokeWidth="5" strokeLinecap="round" />
          </svg>
          {t('legend.surveyed')}
        </li>
        <li>
          <svg width="28" height="10" aria-hidden="true">
            <path d="M3 5h24" stroke="var(--t-hole)" strokeWidth="4" strokeDasharray=".1 7" strokeLinecap="round" />
          </svg>
          {t('legend.waiting')}
        </li>
      </ul>
    </div>
  )
}
