import { GroundCard } from './GroundCard'
import { ReportsCard } from './ReportsCard'
import { ReviewsCard } from './ReviewsCard'

/** Reviews and field reports of visitors, and ground records of the staff. */
export default function ReviewsTab() {
  return (
    <>
      <ReviewsCard />
      <ReportsCard />
      <GroundCard />
    </>
  )
}
