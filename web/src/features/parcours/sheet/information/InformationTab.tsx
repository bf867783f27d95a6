import { MediaCard } from '../content/MediaCard'
import { ClosuresCard } from '../content/ClosuresCard'
import { CustomCard } from '../content/CustomCard'
import { PoisCard } from '../content/PoisCard'
import { useSheet } from '../context'
import { useShown } from '../Shown'
import { AnswersCard } from './AnswersCard'
import { AvailabilityCard } from './AvailabilityCard'
import { NatureCard } from './NatureCard'
import { RelationCard } from './RelationCard'
import { SearchCard } from './SearchCard'
import { TextsCard } from './TextsCard'

/** The kind, texts, media, relations and availability of the parcours. */
export function InformationTab() {
  const related = useShown(['relation', 'parent_id', 'model_id'])
  const available = useShown(['availability', 'bike_carriage'])
  const pictured = useShown(['media_ids', 'audio_main_media_id', 'audio_transition_media_id'])
  const pointed = useShown(['poi_ids'])
  const { parcours } = useSheet()
  const answered = useShown(['contact_id', 'itinerary_ids']) && parcours.itinerary_ids !== undefined
  const searched = useShown(['anonymous_title', 'anonymous_description', 'meta_title', 'meta_description', 'copyright'])
  return (
    <>
      <ClosuresCard />
      <TextsCard />
      <NatureCard />
      {pictured && <MediaCard />}
      {pointed && <PoisCard />}
      <CustomCard />
      {answered && <AnswersCard />}
      {available && <AvailabilityCard />}
      {related && <RelationCard />}
      {searched && <SearchCard />}
    </>
  )
}
