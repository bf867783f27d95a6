import { ComboboxChevron, Input, InputBase, Pill, PillsInput } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { useTranslation } from '@/i18n'
import type { Wiring } from '@/ui/field/Field'
import type { Closed } from './useOpening'
import { useMantineWiring } from './useMantineWiring'

interface ClosedProps {
  wiring: Wiring
  closed: Closed
  /** There is something to clear. */
  onClear?: (() => void) | undefined
}

/** The icons at the right end, as in `Select` and `MultiSelect`. */
function useEnd(onClear: (() => void) | undefined) {
  const { t } = useTranslation()
  return {
    rightSectionPointerEvents: 'none',
    __defaultRightSection: <ComboboxChevron />,
    __clearSection: (
      <Input.ClearButton tabIndex={-1} aria-label={t('form.clear')} onMouseDown={(event) => event.preventDefault()} onClick={onClear} />
    ),
    __clearable: onClear !== undefined,
  } as const
}

const asCombobox = ({ typed, setTyped, open, composition }: Closed, text: string) =>
  ({
    role: 'combobox',
    'aria-haspopup': 'listbox',
    'aria-expanded': false,
    autoComplete: 'off',
    value: typed ?? text,
    onChange: (event: { currentTarget: { value: string } }) => setTyped(event.currentTarget.value),
    onFocus: open,
    onBlur: () => setTyped(null),
    // There is no list yet: Enter would submit the form.
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') event.preventDefault()
    },
    ...composition,
  }) as const

/** The placeholder of a select of one value, before its list is fetched. */
export function ClosedOne({
  wiring,
  closed,
  text,
  placeholder,
  onClear,
}: ClosedProps & { text: string; placeholder?: string | undefined }) {
  return (
    <InputBase
      {...useMantineWiring(wiring)}
      {...useEnd(onClear)}
      {...asCombobox(closed, text)}
      placeholder={placeholder ?? ''}
      onPointerEnter={closed.prefetch}
    />
  )
}

/** The placeholder of a select of several values, before its list is fetched. */
export function ClosedMany({
  wiring,
  closed,
  chosen,
  onRemove,
  onClear,
}: ClosedProps & { chosen: readonly { value: string; label: string }[]; onRemove: (value: string) => void }) {
  const { error, ...wired } = useMantineWiring(wiring)
  return (
    <PillsInput id={wired.id} error={error} {...useEnd(onClear)} onPointerEnter={closed.prefetch}>
      <Pill.Group style={onClear === undefined ? undefined : { paddingInlineEnd: 50 }}>
        {chosen.map(({ value, label }) => (
          <Pill key={value} withRemoveButton onRemove={() => onRemove(value)}>
            {label}
          </Pill>
        ))}
        <PillsInput.Field {...wired} {...asCombobox(closed, '')} />
      </Pill.Group>
    </PillsInput>
  )
}
