import { useNavigate, useSearch } from '@tanstack/react-router'

/** A client file by its number, or one that is not saved yet. */
export type WhichClientFile = number | 'new'

/** The client file that the address opens, and how to open another one or none. The address holds its number alone: no name. */
export function useOpenClientFile(): { opened: WhichClientFile | null; open: (which: WhichClientFile | null, replace?: boolean) => void } {
  // The router reads a number as one; the pattern takes both.
  const requested = useSearch({ strict: false })['client_file'] ?? ''
  const navigate = useNavigate()
  return {
    opened: requested === 'new' ? 'new' : /^[1-9]\d*$/.test(requested) ? Number(requested) : null,
    open: (which, replace = false) =>
      void navigate({
        to: '.',
        search: (before) => ({ ...before, client_file: which === null ? undefined : String(which) }),
        replace,
        resetScroll: false,
      }),
  }
}
