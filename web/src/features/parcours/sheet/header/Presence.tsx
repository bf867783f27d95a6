import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '@/i18n'
import { api, unwrap } from '@/api/client'
import { useSheet } from '../context'
import classes from '../sheet.module.css'

const everyMs = 20_000

/** Other people who have this sheet open; asked each 20 s while the page is visible. Without an answer it shows nothing. */
export function Presence() {
  const { t } = useTranslation('sheet')
  const { parcours, form } = useSheet()
  const { id } = parcours
  const others = useQuery({
    queryKey: ['parcours', id, 'presence'],
    queryFn: () =>
      unwrap(
        api.POST('/api/v1/parcours/{id}/presence', { params: { path: { id } }, body: { editing: form.store.dirtyPaths().length > 0 } }),
      ).then((presence) => presence.others),
    refetchInterval: everyMs,
    staleTime: everyMs,
    gcTime: 0,
  }).data
  const [first, ...more] = others ?? []
  if (first === undefined) return null
  return (
    <span className={classes['presence']} role="status">
      <span className={classes['initials']} aria-hidden="true">
        {first.initials}
      </span>
      {t(first.editing ? 'presence.editing' : 'presence.reading', { name: first.name })}
      {more.length > 0 && ` ${t('presence.more', { count: more.length })}`}
    </span>
  )
}
