import { GroundCard } from './GroundCard'
import { ReportsCard } from './ReportsCard'
import { ReviewsCard } from './ReviewsCard'

/** What comes back from the ground: what walkers think of the parcours, what they found on it, and what the staff recorded there. */
export default function ReviewsTab() {
  return (
    <>
      <ReviewsCard />
      <ReportsCard />
      <GroundCard />
    </>
  )
}
