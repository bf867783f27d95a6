import { useRecordChoices } from '@/records/picker/useRecordChoices'
import { FilterChip } from './FilterChip'
import { chipText, type FilterDef } from './filters'

/** The chip of a filter by record: the address contains ids, the names are fetched. */
export default function RecordChip({
  filter,
  value,
  onDrop,
}: {
  filter: Extract<FilterDef, { kind: 'record' }>
  value: string
  onDrop: () => void
}) {
  const ids = value.split(',').map(Number).filter(Number.isInteger)
  const { nameOf } = useRecordChoices(filter, ids)
  const names = ids.flatMap((id) => nameOf(id) ?? [])
  return <FilterChip words={chipText(filter, value, names.length === 0 ? undefined : names.join(', '))} onDrop={onDrop} />
}
