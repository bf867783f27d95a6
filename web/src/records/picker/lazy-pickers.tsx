import type { ComponentProps } from 'react'
import { ClosedMany, ClosedOne } from '@/ui/select/ClosedSelect'
import { useOpening } from '@/ui/select/useOpening'
import type * as Pickers from './RecordPicker'
import { useRecordNames } from './useRecordChoices'

const read = () => import('./RecordPicker')

/** One record, found by typing; the list is fetched when the field gets the focus. */
export function PickOne(props: ComponentProps<typeof Pickers.PickOne>) {
  const { wiring, value, onChange, placeholder } = props
  const { module, closed } = useOpening(read, wiring.id)
  const nameOf = useRecordNames(props, value === null ? [] : [value])
  if (module !== null) return <module.PickOne {...props} />
  return (
    <ClosedOne
      wiring={wiring}
      closed={closed}
      text={value === null ? '' : (nameOf(value) ?? '')}
      placeholder={placeholder}
      onClear={value === null ? undefined : () => onChange(null)}
    />
  )
}

/** Several records, in the order they were chosen; the list is fetched when the field gets the focus. */
export function PickMany(props: ComponentProps<typeof Pickers.PickMany>) {
  const { wiring, value, onChange } = props
  const { module, closed } = useOpening(read, wiring.id)
  const nameOf = useRecordNames(props, value)
  if (module !== null) return <module.PickMany {...props} />
  const chosen = value.map((id) => ({ value: String(id), label: nameOf(id) ?? '…' }))
  return (
    <ClosedMany
      wiring={wiring}
      closed={closed}
      chosen={chosen}
      onRemove={(gone) => onChange(value.filter((id) => String(id) !== gone))}
      onClear={value.length === 0 ? undefined : () => onChange([])}
    />
  )
}
