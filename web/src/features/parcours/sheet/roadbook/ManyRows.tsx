import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useContext, type ReactNode } from 'react'
import { Button, IconButton } from '@/ui/button/Button'
import { FieldError } from '@/ui/field/Field'
import { useField } from '@/records/form/form-context'
import { ReadOnlyContext } from '@/records/form/read-only'
import classes from './roadbook.module.css'

interface Props<T> {
  name: string
  blank: T
  add: string
  removeOf: (place: number) => string
  readOnly?: boolean
  /** Why none may be added now. */
  disabledReason?: string | undefined
  children: (at: string, index: number) => ReactNode
}

/** A list of small forms: added at the end, taken away one by one. */
export function ManyRows<T>({ name, blank, add, removeOf, readOnly = false, disabledReason, children }: Props<T>) {
  const { value, set, error } = useField<T[]>(name)
  const locked = useContext(ReadOnlyContext) || readOnly
  return (
    <div className={classes['many']} data-field={name}>
      {value.length > 0 && (
        <ol>
          {value.map((_, index) => (
            // Rows have no name: their place identifies them.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>
              <div>{children(`${name}.${index}`, index)}</div>
              {!locked && (
                <IconButton
                  size="small"
                  look="ghost"
                  label={removeOf(index + 1)}
                  icon={<IconTrash size={16} stroke={1.75} aria-hidden />}
                  onClick={() => set(value.toSpliced(index, 1))}
                />
              )}
            </li>
          ))}
        </ol>
      )}
      {!locked && (
        <Button
          size="small"
          icon={<IconPlus size={16} stroke={1.75} aria-hidden />}
          disabledReason={disabledReason}
          reasonShown
          onClick={() => set([...value, blank])}
        >
          {add}
        </Button>
      )}
      {value.length === 0 && <FieldError error={error} />}
    </div>
  )
}
