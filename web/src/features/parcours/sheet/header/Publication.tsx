import { useMe } from '@/api/session'
import { PublicationBadge } from '@/records/badge/record-badges'
import { useSheet } from '../context'

/** Whether the parcours is published; of another white-label's, whether it is published on one's own. */
export function Publication() {
  const { parcours } = useSheet()
  const { active_white_label_id: mine } = useMe()
  const onMine = parcours.white_labels.some(({ id, published }) => id === mine && published)
  return <PublicationBadge record={{ published: parcours.published, mine: parcours.mine, published_on_mine: onMine }} />
}
