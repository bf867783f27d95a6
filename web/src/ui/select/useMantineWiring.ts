import { useEffect } from 'react'
import type { Wiring } from '@/ui/field/Field'

/**
 * The wiring of a field for a Mantine input inside it. Mantine sets `aria-invalid` from `error`, and removes the references to the
 * hint and the error around the input: they are set again after each rendering.
 */
export function useMantineWiring({ id, 'aria-describedby': described, 'aria-invalid': invalid, 'aria-required': required }: Wiring) {
  useEffect(() => {
    const input = document.getElementById(id)
    if (described === undefined) input?.removeAttribute('aria-describedby')
    else input?.setAttribute('aria-describedby', described)
  })
  return { id, 'aria-required': required, error: invalid === true }
}
