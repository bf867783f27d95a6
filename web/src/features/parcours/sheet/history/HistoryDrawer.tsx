import { useQuery } from '@tanstack/react-query'
import { HistoryDrawer as Drawer } from '@/records/history/HistoryDrawer'
import { useSheet } from '../context'
import { sheetFieldName } from '../field-name'
import { revisionsQuery } from '../queries'
import { SheetComparison } from './SheetComparison'

/** Every save of the sheet; a field or all can be taken back. */
export function HistoryDrawer({ onClose }: { onClose: () => void }) {
  const { parcours } = useSheet()
  const list = useQuery(revisionsQuery(parcours.id, parcours.version))
  return (
    <Drawer
      list={list}
      version={parcours.version}
      nameOf={sheetFieldName}
      onClose={onClose}
      renderComparison={({ older, newer, done }) => (
        <SheetComparison key={`${older} ${newer}`} older={older} newer={newer} onRestored={done} />
      )}
    />
  )
}
