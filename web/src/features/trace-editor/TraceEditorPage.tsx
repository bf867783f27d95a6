import { type QueryClient, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from '@/i18n'
import { textOf } from '@/ui/format'
import { EditorProvider, useEditorState } from './editor/context'
import { liveServices } from './editor/services'
import { Editor } from './editor/store'
import { openingQuery, practicesQuery, profileOf } from './queries'
import { TraceEditor } from './TraceEditor'

export const texts = ['trace', 'sheet', 'history']

export async function load({ queryClient, params }: { queryClient: QueryClient; params: Record<string, string> }): Promise<void> {
  await Promise.all([
    queryClient.fetchQuery({ ...openingQuery(Number(params['id'])), staleTime: 0 }),
    queryClient.ensureQueryData(practicesQuery),
  ])
}

export function Page() {
  const { id } = useParams({ from: '/signed-in/parcours/$id/edit-trace' })
  return <Opened key={id} id={Number(id)} />
}

function Opened({ id }: { id: number }) {
  const { data: opening } = useSuspenseQuery(openingQuery(id))
  const { data: practices } = useSuspenseQuery(practicesQuery)
  const [editor] = useState(
    () => new Editor({ ...opening, profile: profileOf(practices.items, opening.parcours.practice_type_id) }, liveServices),
  )
  return (
    <EditorProvider editor={editor}>
      <Title />
      <Fresh id={id} />
      <TraceEditor />
    </EditorProvider>
  )
}

function Title() {
  const { t } = useTranslation('trace')
  const title = useEditorState((state) => state.parcours.title)
  return <title>{`${t('title', { title: textOf(title) })} · Jalon`}</title>
}

/** Invalidates the cached data of this parcours after a save. */
function Fresh({ id }: { id: number }) {
  const queryClient = useQueryClient()
  const version = useEditorState((state) => state.parcours.version)
  const [first] = useState(version)
  useEffect(() => {
    if (version === first) return
    const own = JSON.stringify(openingQuery(id).queryKey)
    void queryClient.invalidateQueries({ queryKey: ['parcours'], predicate: ({ queryKey }) => JSON.stringify(queryKey) !== own })
  }, [queryClient, version, first, id])
  return null
}
