import { ReportsCard } from './ReportsCard'
import { ReviewsCard } from './ReviewsCard'

/** What comes back from the ground: what walkers think of the parcours, and what they found on it. */
export default function ReviewsTab() {
  return (
    <>
      <ReviewsCard />
      <ReportsCard />
    </>
  )
}
