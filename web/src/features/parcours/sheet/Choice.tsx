import { useContext, type ReactNode } from 'react'
import { FieldError, ReadOnly } from '@/ui/field/Field'
import { Segments } from '@/ui/field/inputs'
import { useField } from '@/records/form/form-context'
import { ReadOnlyContext } from '@/records/form/read-only'
import classes from './sheet.module.css'

export interface ChoiceProps<T, V extends string> {
  name: string
  label: string
  hint?: ReactNode
  choices: readonly { value: V; label: string }[]
  /** The choice for a stored value, and the value of a choice. */
  read: (value: T) => V
  write: (choice: V) => T
}

/** One of two to four, all in sight, under its label. */
export function Choice<T, V extends string>({ name, label, hint, choices, read, write }: ChoiceProps<T, V>) {
  const { value, set, error } = useField<T>(name)
  const chosen = read(value)
  if (useContext(ReadOnlyContext)) return <ReadOnly label={label}>{choices.find((choice) => choice.value === chosen)?.label}</ReadOnly>
  return (
    <div className={classes['choice']} data-field={name}>
      <span className={classes['choiceLabel']} aria-hidden="true">
        {label}
      </span>
      <Segments label={label} value={chosen} onChange={(next) => set(write(next))} choices={choices} />
      {hint && <p className="tiny faint">{hint}</p>}
      <FieldError error={error} />
    </div>
  )
}

type Three = 'unset' | 'yes' | 'no'

/** Yes, no, or not said. */
export function ThreeWay({ name, label, hint, words }: { name: string; label: string; hint?: ReactNode; words: Record<Three, string> }) {
  return (
    <Choice<boolean | null, Three>
      name={name}
      label={label}
      hint={hint}
      read={(value) => (value === null ? 'unset' : value ? 'yes' : 'no')}
      write={(choice) => (choice === 'unset' ? null : choice === 'yes')}
      choices={[
        { value: 'unset', label: words.unset },
        { value: 'yes', label: words.yes },
        { value: 'no', label: words.no },
      ]}
    />
  )
}
