import { ComboboxChevron, Input, InputBase, Pill, PillsInput } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { useTranslation } from '@/i18n'
import type { Wiring } from '@/ui/field/Field'
import type { Closed } from './useOpening'
import { useWired } from './wired'

interface ClosedProps {
  wiring: Wiring
  closed: Closed
  /** There is something to clear. */
  onClear?: (() => void) | undefined
}

/** The marks at the right end, as `Select` and `MultiSelect` have them. */
function useEnd(onClear: (() => void) | undefined) {
  const { t } = useTranslation()
  return {
    rightSectionPointerEvents: 'none',
    __defaultRightSection: <ComboboxChevron />,
    __clearSection: <Input.ClearButton tabIndex={-1} aria-label={t('form.clear')} onMouseDown={(event) => event.preventDefault()} onClick={onClear} />,
    __clearable: onClear !== undefined,
  } as const
}

const asCombobox = ({ typed, setTyped, open, composition }: Closed, text: string) => ({
  role: 'combobox',
  'aria-haspopup': 'listbox',
  'aria-expanded': false,
  autoComplete: 'off',
  value: typed ?? text,
  onChange: (event: { currentTarget: { value: string } }) => setTyped(event.currentTarget.value),
  onFocus: open,
  onBlur: () => setTyped(null),
  // Nothing to choose yet: the key would send the form around.
  onKeyDown: (event: KeyboardEvent) => {
    if (event.key === 'Enter') event.preventDefault()
  },
  ...composition,
} as const)

/** One of many, as it stands before its list is there. */
export function ClosedOne({ wiring, closed, text, onClear }: ClosedProps & { text: string }) {
  return <InputBase {...useWired(wiring)} {...useEnd(onClear)} {...asCombobox(closed, text)} onPointerEnter={closed.prefetch} />
}

/** Several of many, as they stand before their list is there. */
export function ClosedMany({ wiring, closed, chosen, onRemove, onClear }: ClosedProps & { chosen: readonly { value: string; label: string }[]; onRemove: (value: string) => void }) {
  const { error, ...wired } = useWired(wiring)
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
