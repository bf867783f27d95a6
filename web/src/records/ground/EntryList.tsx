import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { ListFrame } from '@/records/list/ListFrame'
import { EntryItem } from './EntryItem'
import { entriesQuery, entryViews, PER_PAGE, type EntryView } from './queries'

/** What came from the ground, with its filter: of one parcours, or of all. */
export function EntryList({ parcoursId }: { parcoursId?: number }) {
  const { t } = useTranslation('groundEntries')
  const [view, setView] = useState<EntryView>(parcoursId === undefined ? 'waiting' : 'all')
  const [page, setPage] = useState(1)
  const answer = useQuery(entriesQuery({ ...(parcoursId !== undefined && { parcoursId }), view, page }))
  const { items = [], total = 0 } = answer.data ?? {}
  return (
    <ListFrame
      answer={answer}
      filter={{
        label: t('filter'),
        value: view,
        onChange: setView,
        choices: entryViews.map((key) => ({ value: key, label: t(`view.${key}`) })),
      }}
      page={page}
      setPage={setPage}
      perPage={PER_PAGE}
      total={total}
      empty={t(`empty.${view}`)}
    >
      {items.map((entry) => (
        <EntryItem key={entry.id} entry={entry} ofOne={parcoursId !== undefined} />
      ))}
    </ListFrame>
  )
}
