import { lazy } from 'react'
import { ensureTexts } from '@/i18n'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { LazyInView } from '@/ui/LazyInView'
import { CursorProvider } from '@/records/map/cursor'
import { ClosuresCard } from '../content/ClosuresCard'
import { useSheet } from '../context'
import { NoTrace } from './NoTrace'
import { ReliabilityCard } from './ReliabilityCard'
import { StepsCard } from './StepsCard'
import { TraceCard } from './TraceCard'

const TransportCard = lazy(() => Promise.all([import('./TransportCard'), ensureTexts('transport', 'lines')]).then(([module]) => module))

/** The trace of the parcours, its reliability, and its steps. */
export function ItineraryTab() {
  const { parcours } = useSheet()
  return (
    <CursorProvider>
      {parcours.trace === null ? <NoTrace /> : <TraceCard summary={parcours.trace} />}
      <ClosuresCard />
      {parcours.trace !== null && <ReliabilityCard summary={parcours.trace} />}
      {(parcours.steps.length > 0 || parcours.trace !== null) && <StepsCard />}
      {(parcours.steps.length > 0 || parcours.trace !== null) && (
        <LazyInView standIn={<Skeleton height={120} />}>
          <TransportCard />
        </LazyInView>
      )}
    </CursorProvider>
  )
}
