import { MediasCard } from '../content/MediasCard'
import { PoisCard } from '../content/PoisCard'
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
  const pictured = useShown(['media_ids'])
  const pointed = useShown(['poi_ids'])
  const searched = useShown(['anonymous_title', 'anonymous_description', 'meta_title', 'meta_description', 'copyright'])
  return (
    <>
      <TextsCard />
      <NatureCard />
      {pictured && <MediasCard />}
      {pointed && <PoisCard />}
      {available && <AvailabilityCard />}
      {related && <RelationCard />}
      {searched && <SearchCard />}
    </>
  )
}
