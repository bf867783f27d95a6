import { useEffect } from 'react'
import type { Wiring } from '@/ui/field/Field'

/**
 * The wiring of a field for a Mantine input inside it: whether it is at fault is theirs to say, and they drop the hint and
 * the error that stand around them, which are put back.
 */
export function useWired({ id, 'aria-describedby': described, 'aria-invalid': invalid, 'aria-required': required }: Wiring) {
  useEffect(() => {
    const input = document.getElementById(id)
    if (described === undefined) input?.removeAttribute('aria-describedby')
    else input?.setAttribute('aria-describedby', described)
  })
  return { id, 'aria-required': required, error: invalid === true }
}
