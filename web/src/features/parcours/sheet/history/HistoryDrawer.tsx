import { useQuery } from '@tanstack/react-query'
import { HistoryDrawer as Drawer } from '@/ui/history/HistoryDrawer'
import { useSheet } from '../context'
import { revisionsQuery } from '../queries'
import { Comparison } from './Comparison'

/** Every save of the sheet; a field or all can be taken back. */
export function HistoryDrawer({ onClose }: { onClose: () => void }) {
  const { parcours } = useSheet()
  const list = useQuery(revisionsQuery(parcours.id, parcours.version))
  return <Drawer list={list} version={parcours.version} onClose={onClose} renderComparison={({ older, newer, done }) => <Comparison key={`${older} ${newer}`} older={older} newer={newer} onRestored={done} />} />
}
