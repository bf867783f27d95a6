import { createContext } from 'react'

/** Fields below are shown as text: a record of another white-label. */
export const ReadOnlyContext = createContext(false)
