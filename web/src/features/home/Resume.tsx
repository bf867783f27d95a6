import IconDeviceFloppy from '@tabler/icons-react/dist/esm/icons/IconDeviceFloppy.mjs'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { useMe } from '@/api/session'
import { Card } from '@/ui/Card'
import { draftsOf } from '@/records/form/draft'
import { format, textOf } from '@/ui/format'
import { Glyph } from '@/records/ribbon/Ribbon'
import classes from './home.module.css'
import { draftedQuery } from './queries'

/** The unsaved drafts on this device. No card without a draft. */
export function Resume() {
  const { t } = useTranslation('home')
  const me = useMe()
  const [drafts] = useState(() => draftsOf(me.id, 'parcours').slice(0, 5))
  const ids = drafts.flatMap(({ id }) => (id === 'new' ? [] : [id]))
  const { data } = useQuery({ ...draftedQuery(ids), enabled: ids.length > 0 })
  if (drafts.length === 0) return null
  return (
    <Card flush title={t('resume.title')}>
      <ul>
        {drafts.map(({ id, draft }) => {
          const row = data?.items.find((one) => one.id === id)
          const count = Object.keys(draft.changes).length
          return (
            <li key={`${id} ${draft.savedAt}`} className={classes['record']}>
              <Glyph path={row?.glyph ?? null} />
              <span className={classes['recordText']}>
                {id === 'new' ? (
                  <Link to="/parcours/new" className={classes['recordLink']}>
                    {t('resume.new')}
                  </Link>
                ) : (
                  <Link to="/parcours/$id" params={{ id: String(id) }} className={classes['recordLink']}>
                    {row === undefined ? t('resume.record', { id }) : textOf(row.title)}
                  </Link>
                )}
                <span className={classes['unsaved']} title={format.instant(draft.savedAt)}>
                  <IconDeviceFloppy size={14} stroke={1.75} aria-hidden />
                  {t('resume.changes', { count, when: format.ago(draft.savedAt) })}
                </span>
              </span>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
