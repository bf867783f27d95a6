import type { ComponentProps } from 'react'
import { ClosedMany, ClosedOne } from './ClosedSelect'
import type * as Selects from './SearchSelect'
import { useOpening } from './useOpening'

const read = () => import('./SearchSelect')

/** One of many, found by typing; its list is fetched when the field gets the focus. */
export function SearchOne(props: ComponentProps<typeof Selects.SearchOne>) {
  const { wiring, choices, value, onChange } = props
  const { module, closed } = useOpening(read, wiring.id)
  if (module !== null) return <module.SearchOne {...props} />
  return (
    <ClosedOne
      wiring={wiring}
      closed={closed}
      text={choices.find((choice) => choice.value === value)?.label ?? ''}
      onClear={value === null ? undefined : () => onChange(null)}
    />
  )
}

/** Several of many, found by typing; their list is fetched when the field gets the focus. */
export function SearchMany(props: ComponentProps<typeof Selects.SearchMany>) {
  const { wiring, choices, value, onChange } = props
  const { module, closed } = useOpening(read, wiring.id)
  if (module !== null) return <module.SearchMany {...props} />
  const chosen = value.map((one) => ({ value: one, label: choices.find((choice) => choice.value === one)?.label ?? one }))
  return (
    <ClosedMany
      wiring={wiring}
      closed={closed}
      chosen={chosen}
      onRemove={(removed) => onChange(value.filter((one) => one !== removed))}
      onClear={value.length === 0 ? undefined : () => onChange([])}
    />
  )
}
