import { CursorProvider } from '@/ui/map/cursor'
import { ClosuresCard } from '../content/ClosuresCard'
import { useSheet } from '../context'
import { NoTrace } from './NoTrace'
import { ReliabilityCard } from './ReliabilityCard'
import { StepsCard } from './StepsCard'
import { TraceCard } from './TraceCard'

/** Where the parcours goes: its trace, how far it can be relied on, and its steps. */
export function ItineraryTab() {
  const { parcours } = useSheet()
  return (
    <CursorProvider>
      {parcours.trace === null ? <NoTrace /> : <TraceCard summary={parcours.trace} />}
      <ClosuresCard />
      {parcours.trace !== null && <ReliabilityCard summary={parcours.trace} />}
      {(parcours.steps.length > 0 || parcours.trace !== null) && <StepsCard />}
    </CursorProvider>
  )
}
