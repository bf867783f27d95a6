import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'

/** What a page's `load` is given. */
export interface LoadContext {
  queryClient: QueryClient
  params: Record<string, string>
  search: Record<string, string>
}

/** What the file of a page exports: the page, its texts, and what must be there before it is shown. */
export interface PageModule {
  Page: ComponentType
  /** Areas of `src/i18n/{fr,en}`. */
  texts?: string[]
  /** Prefetch into the query cache; a rejection shows the error page. */
  load?: (context: LoadContext) => Promise<unknown>
}
