import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { useTranslation } from '@/i18n'
import { queryClient } from '@/api/query-client'
import { AppTheme } from '@/ui/theme/AppTheme'
import { SessionWatch } from '../session/SessionWatch'
import { Bands } from './Bands'
import { BottomBar } from './BottomBar'
import { Sidebar } from './Sidebar'
import classes from './SignedInLayout.module.css'
import { TopBar } from './TopBar'

/** The default layout: navigation, top bar, and the page; the trace editor has the whole window. */
export function SignedInLayout() {
  return (
    <AppTheme>
      <QueryClientProvider client={queryClient}>
        <Layout />
      </QueryClientProvider>
    </AppTheme>
  )
}

function Layout() {
  const { t } = useTranslation('shell')
  const bare = useRouterState({ select: ({ location }) => location.pathname.endsWith('/edit-trace') })
  const [folded, setFolded] = useLocalStorage({ key: 'jalon.sidebarFolded', defaultValue: false, getInitialValueInEffect: false })
  const narrow = useMediaQuery('(max-width: 1199.98px)', undefined, { getInitialValueInEffect: false })
  return (
    <div className={classes['app']} data-bare={bare || undefined}>
      <a className={classes['skip']} href="#content">
        {t('skip')}
      </a>
      <aside className={classes['bands']} aria-label={t('bands.label')}>
        <Bands />
      </aside>
      {!bare && (
        <div className={classes['side']}>
          <Sidebar folded={folded || narrow} onFold={setFolded} />
        </div>
      )}
      <div className={classes['column']}>
        {!bare && <TopBar />}
        <main id="content" tabIndex={-1} className={classes['main']} data-scroll-restoration-id="content">
          <Outlet />
        </main>
        {!bare && <BottomBar />}
      </div>
      <SessionWatch />
    </div>
  )
}
