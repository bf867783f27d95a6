import IconFileImport from '@tabler/icons-react/dist/esm/icons/IconFileImport.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { useCan, useMe } from '@/api/session'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { format } from '@/ui/format'
import { usePageMeta } from '@/ui/page-meta'
import { capitalized } from '@/ui/text'
import { Counts } from './Counts'
import { FirstSteps } from './FirstSteps'
import classes from './home.module.css'
import { Latest } from './Latest'
import { dashboardQuery, latestQuery } from './queries'
import { Resume } from './Resume'
import { Team } from './Team'
import { Waiting } from './Waiting'
import type { QueryClient } from '@tanstack/react-query'

export const texts = ['home', 'resource']

/** The waiting tasks are first; the rest may arrive after the page, and each part keeps its place. */
export async function load({ queryClient }: { queryClient: QueryClient }): Promise<void> {
  void queryClient.prefetchQuery(latestQuery)
  await queryClient.ensureQueryData(dashboardQuery)
}

/** The dashboard: waiting tasks, unfinished drafts, latest edits and counts. */
export function Page() {
  const { t } = useTranslation('home')
  const me = useMe()
  const may = useCan('content.write')
  const [today] = useState(() => new Date())
  usePageMeta([{ label: t('title') }])
  return (
    <div className={classes['page']}>
      <header className={classes['head']}>
        <div>
          <p className="small muted">{capitalized(format.longDay(today))}</p>
          <h1 tabIndex={-1}>{t('hello', { name: me.first_name })}</h1>
        </div>
        {may && (
          <div className={classes['actions']}>
            <ButtonLink to="/parcours/new" search={{ from: 'file' }} icon={<IconFileImport size={18} stroke={1.75} aria-hidden />}>
              {t('import')}
            </ButtonLink>
            <ButtonLink to="/parcours/new" look="primary" icon={<IconPlus size={18} stroke={1.75} aria-hidden />}>
              {t('new')}
            </ButtonLink>
          </div>
        )}
      </header>
      <div className={classes['grid']}>
        <div className={classes['main']}>
          {may && <FirstSteps />}
          <Waiting />
          <Latest />
        </div>
        <div className={classes['aside']}>
          <Counts />
          <Resume />
          <Team />
        </div>
      </div>
    </div>
  )
}
