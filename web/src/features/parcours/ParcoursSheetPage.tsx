import type { QueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ProblemError } from '@/api/problem'
import { vocabularyQuery } from '@/records/form/vocabulary'
import { loadSheet } from './sheet/queries'
import { SheetPage } from './sheet/SheetPage'

export const texts = ['sheet', 'trace', 'history']

const readId = (text: string | undefined): number => (text !== undefined && /^\d{1,18}$/.test(text) ? Number(text) : Number.NaN)

/** The sheet is there before the page is shown; what it lists and draws comes beside it. */
export async function load({ queryClient, params }: { queryClient: QueryClient; params: Record<string, string> }) {
  const id = readId(params['id'])
  if (Number.isNaN(id)) throw new ProblemError(404, { code: 'parcours/not-found' })
  void queryClient.prefetchQuery(vocabularyQuery('practice_type'))
  void queryClient.prefetchQuery(vocabularyQuery('level'))
  await loadSheet(queryClient, id)
}

/** `/parcours/{id}` */
export function Page() {
  return <SheetPage id={readId(useParams({ from: '/signed-in/parcours/$id' }).id)} />
}
