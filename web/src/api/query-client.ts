import { QueryClient } from '@tanstack/react-query'

/** The cache. Its own retry is off: the HTTP client has the one retry there is. */
export const makeQueryClient = () =>
  new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 30_000 }, mutations: { retry: false } } })

export const queryClient = makeQueryClient()
