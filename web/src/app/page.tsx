import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'

/** The argument of a page's `load`. */
export interface LoadContext {
  queryClient: QueryClient
  params: Record<string, string>
  search: Record<string, string>
}

/** The exports of a page's file: the page, its texts, and the data to load before it is shown. */
export interface PageModule {
  Page: ComponentType
  /** Areas of `src/i18n/{fr,en}`. */
  texts?: string[]
  /** It shows no text of an error before a request is refused: these texts, the longest of all, come with the first refusal. */
  errorsLater?: boolean
  /** Prefetch into the query cache; a rejection shows the error page. */
  load?: (context: LoadContext) => Promise<unknown>
}
