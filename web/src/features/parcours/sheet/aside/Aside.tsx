import { useTranslation } from '@/i18n'
import classes from '../sheet.module.css'
import type { TabKey } from '../tabs'
import { DiffusionCard } from './DiffusionCard'
import { MapCard } from './MapCard'
import { MissingCard } from './MissingCard'

/** Beside the tabs: what is missing, the trace in small, and who may have it. */
export function Aside({ tab }: { tab: TabKey }) {
  const { t } = useTranslation('sheet')
  return (
    <aside className={classes['aside']} aria-label={t('aside.label')}>
      <MissingCard />
      {tab !== 'itinerary' && <MapCard />}
      <DiffusionCard />
    </aside>
  )
}
