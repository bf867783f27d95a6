import { useShown } from '../Shown'
import { AvailabilityCard } from './AvailabilityCard'
import { NatureCard } from './NatureCard'
import { RelationCard } from './RelationCard'
import { SearchCard } from './SearchCard'
import { TextsCard } from './TextsCard'

/** What the parcours is and says of itself. */
export function InformationTab() {
  const related = useShown(['relation', 'parent_id', 'model_id'])
  const available = useShown(['availability', 'bike_carriage'])
  const searched = useShown(['anonymous_title', 'anonymous_description', 'meta_title', 'meta_description', 'copyright'])
  return (
    <>
      <TextsCard />
      <NatureCard />
      {available && <AvailabilityCard />}
      {related && <RelationCard />}
      {searched && <SearchCard />}
    </>
  )
}
