import { useTranslation } from '@/i18n'
import classes from '../sheet.module.css'
import type { TabKey } from '../tabs'
import { DiffusionCard } from './DiffusionCard'
import { MapCard } from './MapCard'
import { useSheet } from '../context'
import { PassportCard } from './PassportCard'
import { MissingCard } from './MissingCard'

/** Beside the tabs: the missing values, a small map of the trace, and the publication. */
export function Aside({ tab }: { tab: TabKey }) {
  const { t } = useTranslation('sheet')
  const { passport } = useSheet().parcours
  return (
    <aside className={classes['aside']} aria-label={t('aside.label')}>
      {passport === undefined ? <MissingCard /> : <PassportCard passport={passport} />}
      {tab !== 'itinerary' && <MapCard />}
      <DiffusionCard />
    </aside>
  )
}
