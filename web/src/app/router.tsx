import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type StaticDataRouteOption,
} from '@tanstack/react-router'
import { currentLocale, ensureTexts, loadLocale, showLocale } from '@/i18n'
import { ErrorPage } from './ErrorPage'
import { localeOfPath, withLocale, withoutLocale } from '@/i18n/locale'
import { NotFoundPage } from './NotFoundPage'
import type { PageModule } from './page'
import { fetchMapScript } from './map-script'
import { noteVisit } from './visited'
import { RootLayout } from './RootLayout'
import { RouterSignIn } from './RouterSignIn'
import { followRouteRules } from './route-rules'
import { parseSearch, stringifySearch, type Search } from './search'

const root = createRootRoute({
  validateSearch: (search): Search => search as Search,
  beforeLoad: async ({ location, preload }) => {
    if (!preload) noteVisit(new URL(location.href, window.location.origin).href)
    followRouteRules(location.pathname)
    // Back and forward may cross languages: the texts come first, and stay as they were when they don't.
    const there = localeOfPath(window.location.pathname)
    if (!preload && there !== currentLocale()) {
      await loadLocale(there)
      showLocale(there)
    }
  },
  component: RootLayout,
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
})

/** What a page is loaded with: its address, as the router read it. */
interface PageAddress {
  params: Record<string, string>
  search: Search
}

/** The script of a page, its texts, and its data. */
async function loadPage(read: () => Promise<PageModule>, { params, search }: PageAddress): Promise<void> {
  const module = await read()
  const data = async () => {
    if (module.load === undefined) return
    const { queryClient } = await import('@/api/query-client')
    await module.load({ queryClient, params, search })
  }
  const errors = module.errorsLater === true ? [] : ['errors']
  await Promise.all([ensureTexts(...errors, ...(module.texts ?? [])), data()])
}

/** The page that was asked for before the router loads it. */
let early: { place: string; loaded: Promise<void> } | undefined
const placeOf = ({ pathname, searchStr }: { pathname: string; searchStr: string }) => `${pathname}?${searchStr}`

/**
 * Options of a lazy page: its module is fetched once, for the loader and for the component alike. `hasMap` says whether it shows a map when it
 * is opened.
 */
function page(read: () => Promise<PageModule>, hasMap?: () => boolean) {
  return {
    component: lazyRouteComponent(read, 'Page'),
    staticData: { read, ...(hasMap && { hasMap }) },
    loader: async ({
      params,
      location,
    }: {
      params: Record<string, string>
      location: { pathname: string; searchStr: string; search: unknown }
    }) => {
      const before = early
      early = undefined
      if (before !== undefined && before.place === placeOf(location)) return before.loaded
      await loadPage(read, { params, search: location.search as Search })
    },
  }
}

const always = () => true
/** Where a list has no map beside it, its map is fetched when it is shown. */
const besideList = () => window.matchMedia('(min-width: 1200px)').matches

const signIn = createRoute({ getParentRoute: () => root, id: 'sign-in', component: RouterSignIn })
const login = createRoute({ getParentRoute: () => signIn, path: '/login', ...page(() => import('@/features/login/LoginPage')) })
const forgot = createRoute({ getParentRoute: () => signIn, path: '/login/forgot', ...page(() => import('@/features/login/ForgotPage')) })
const reset = createRoute({ getParentRoute: () => signIn, path: '/login/reset', ...page(() => import('@/features/login/ResetPage')) })

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ location }) => (await import('./session/guard')).requireSession(location.publicHref),
  component: lazyRouteComponent(() => import('./layout/SignedInLayout'), 'SignedInLayout'),
})

const under = () => signedIn
const home = createRoute({ getParentRoute: under, path: '/', ...page(() => import('@/features/home/HomePage')) })
const parcoursList = createRoute({
  getParentRoute: under,
  path: '/parcours',
  ...page(() => import('@/features/parcours/ParcoursListPage'), besideList),
})
const parcoursNew = createRoute({
  getParentRoute: under,
  path: '/parcours/new',
  ...page(() => import('@/features/parcours/ParcoursNewPage')),
})
const parcoursSheet = createRoute({
  getParentRoute: under,
  path: '/parcours/$id',
  ...page(() => import('@/features/parcours/ParcoursSheetPage'), always),
})
const traceEditor = createRoute({
  getParentRoute: under,
  path: '/parcours/$id/edit-trace',
  ...page(() => import('@/features/trace-editor/TraceEditorPage'), always),
})
const settings = createRoute({ getParentRoute: under, path: '/settings', ...page(() => import('@/features/settings/SettingsPage')) })
const bin = createRoute({ getParentRoute: under, path: '/settings/corbeille', ...page(() => import('@/features/bin/BinPage')) })
const jobs = createRoute({ getParentRoute: under, path: '/settings/taches', ...page(() => import('@/features/jobs/JobsPage')) })
const platformStatus = createRoute({ getParentRoute: under, path: '/settings/etat', ...page(() => import('@/features/status/StatusPage')) })
const journal = createRoute({ getParentRoute: under, path: '/settings/journal', ...page(() => import('@/features/journal/JournalPage')) })
const watch = createRoute({
  getParentRoute: under,
  path: '/settings/veille-reseau',
  ...page(() => import('@/features/network-watch/WatchPage')),
})
const imports = createRoute({
  getParentRoute: under,
  path: '/settings/imports-parcours',
  ...page(() => import('@/features/imports/ImportsPage')),
})
const moves = createRoute({
  getParentRoute: under,
  path: '/settings/demenagement',
  ...page(() => import('@/features/imports/MovesPage')),
})
const move = createRoute({
  getParentRoute: under,
  path: '/settings/demenagement/$id',
  ...page(() => import('@/features/imports/MovePage')),
})
const importNew = createRoute({
  getParentRoute: under,
  path: '/settings/imports-parcours/new',
  ...page(() => import('@/features/imports/NewImportPage')),
})
const importSource = createRoute({
  getParentRoute: under,
  path: '/settings/imports-parcours/$id',
  ...page(() => import('@/features/imports/ImportPage')),
})
const importLogs = createRoute({
  getParentRoute: under,
  path: '/settings/logs-imports-parcours',
  ...page(() => import('@/features/imports/LogsPage')),
})
const importLog = createRoute({
  getParentRoute: under,
  path: '/settings/logs-imports-parcours/$id',
  ...page(() => import('@/features/imports/LogsPage')),
})
const sit = createRoute({
  getParentRoute: under,
  path: '/settings/pois-sit',
  ...page(() => import('@/features/sit/sit').then((all) => all.sitRecords.list()), besideList),
})
const sitSources = createRoute({
  getParentRoute: under,
  path: '/settings/pois-sit/sources',
  ...page(() => import('@/features/sit/SourcesPage')),
})
const sitSourceNew = createRoute({
  getParentRoute: under,
  path: '/settings/pois-sit/sources/new',
  ...page(() => import('@/features/sit/NewSourcePage')),
})
const sitSource = createRoute({
  getParentRoute: under,
  path: '/settings/pois-sit/sources/$id',
  ...page(() => import('@/features/sit/SourcePage')),
})
const sitRecord = createRoute({
  getParentRoute: under,
  path: '/settings/pois-sit/$lng/$id',
  ...page(() => import('@/features/sit/RecordPage')),
})
const feeds = createRoute({ getParentRoute: under, path: '/lignes/flux', ...page(() => import('@/features/transport/FeedsPage')) })
const feed = createRoute({ getParentRoute: under, path: '/lignes/flux/$id', ...page(() => import('@/features/transport/FeedPage')) })
const lineSearch = createRoute({
  getParentRoute: under,
  path: '/lignes/search/$id',
  ...page(() => import('@/features/transport/SearchPage')),
})
const translations = createRoute({
  getParentRoute: under,
  path: '/settings/traductions',
  ...page(() => import('@/features/translation/JobsPage')),
})
/** A translator has no list: it is reached from a white-label's sheet. */
const translatorNew = createRoute({
  getParentRoute: under,
  path: '/settings/traducteurs/new',
  ...page(() => import('@/features/translation/translators').then(({ translators }) => translators.create())),
})
const translator = createRoute({
  getParentRoute: under,
  path: '/settings/traducteurs/$id',
  ...page(() => import('@/features/translation/translators').then(({ translators }) => translators.record())),
})
const analytics = createRoute({ getParentRoute: under, path: '/analytics', ...page(() => import('@/features/statistics/StatisticsPage')) })
const ground = createRoute({ getParentRoute: under, path: '/releves', ...page(() => import('@/features/ground/GroundPage')) })
const widget = createRoute({ getParentRoute: under, path: '/widget', ...page(() => import('@/features/widget/WidgetPage')) })
const account = createRoute({ getParentRoute: under, path: '/account', ...page(() => import('@/features/account/AccountPage')) })
const help = createRoute({ getParentRoute: under, path: '/help', ...page(() => import('@/features/help/HelpPage')) })
const helpPage = createRoute({ getParentRoute: under, path: '/help/$slug', ...page(() => import('@/features/help/HelpPage')) })

const attachMedia = createRoute({
  getParentRoute: under,
  path: '/medias/rattacher',
  ...page(() => import('@/features/media/attach/AttachPage')),
})

/** The list, the sheet and the creation of a resource: one description, three addresses. */
function resource<const Base extends string, const Sheet extends string = `${Base}/$id`>(
  base: Base,
  read: () => Promise<Record<'list' | 'record' | 'create', () => Promise<PageModule>>>,
  sheet?: Sheet,
  listHasMap?: () => boolean,
) {
  const at = <const Path extends string>(path: Path, which: 'list' | 'record' | 'create', hasMap?: () => boolean) =>
    createRoute({ getParentRoute: under, path, ...page(() => read().then((pages) => pages[which]()), hasMap) })
  return [at(base, 'list', listHasMap), at(`${base}/new`, 'create'), at((sheet ?? `${base}/$id`) as Sheet, 'record')] as const
}

/** A line has no page but its form. */
const line = createRoute({
  getParentRoute: under,
  path: '/lignes/$id',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/lignes/$id/edit', params: { id: params.id }, replace: true })
  },
})

const vocabularies = () => import('@/features/settings/vocabularies/vocabularies')
const catalogue = [
  ...resource('/lignes', () => import('@/features/transport-lines/lines').then(({ lines }) => lines), '/lignes/$id/edit'),
  ...resource('/fermetures', () => import('@/features/closures/closures').then(({ closures }) => closures)),
  ...resource('/campagnes', () => import('@/features/campaigns/campaigns').then(({ campaigns }) => campaigns)),
  ...resource('/marque-blanche-prestataire', () => import('@/features/providers/providers').then(({ providers }) => providers)),
  ...resource('/settings/itineraires', () => import('@/features/settings/itineraries').then(({ itineraries }) => itineraries)),
  ...resource('/settings/marques-blanches', () => import('@/features/white-labels/white-labels').then(({ whiteLabels }) => whiteLabels)),
  ...resource('/medias', () => import('@/features/media/media').then(({ media }) => media)),
  ...resource('/pois', () => import('@/features/pois/pois').then(({ pois }) => pois), '/pois/$id', besideList),
  ...resource('/settings/structures', () => import('@/features/settings/structures').then(({ structures }) => structures)),
  ...resource('/settings/contacts', () => import('@/features/settings/contacts').then(({ contacts }) => contacts)),
  ...resource('/settings/users', () => import('@/features/settings/users').then(({ users }) => users)),
  ...resource('/settings/balisages', () => vocabularies().then(({ markings }) => markings)),
  ...resource('/settings/equipements', () => vocabularies().then(({ equipments }) => equipments)),
  ...resource('/settings/tags', () => vocabularies().then(({ tags }) => tags)),
  ...resource('/settings/niveaux', () => vocabularies().then(({ levels }) => levels)),
  ...resource('/settings/types-pratiques', () => vocabularies().then(({ practiceTypes }) => practiceTypes)),
  ...resource('/settings/thematiques-parcours', () => vocabularies().then(({ parcoursThemes }) => parcoursThemes)),
  ...resource('/settings/thematiques-pois', () => vocabularies().then(({ poiThemes }) => poiThemes)),
  ...resource('/settings/categories-pois', () => vocabularies().then(({ poiCategories }) => poiCategories)),
  ...resource('/settings/types-structures', () => vocabularies().then(({ structureTypes }) => structureTypes)),
] as const

const tree = root.addChildren([
  signIn.addChildren([login, forgot, reset]),
  signedIn.addChildren([
    home,
    parcoursList,
    parcoursNew,
    parcoursSheet,
    traceEditor,
    settings,
    bin,
    jobs,
    platformStatus,
    journal,
    watch,
    imports,
    moves,
    move,
    importNew,
    importSource,
    importLogs,
    importLog,
    sit,
    sitSources,
    sitSourceNew,
    sitSource,
    sitRecord,
    feeds,
    feed,
    lineSearch,
    translations,
    translatorNew,
    translator,
    analytics,
    ground,
    widget,
    account,
    help,
    helpPage,
    attachMedia,
    ...catalogue,
    line,
  ]),
])

export const router = createRouter({
  routeTree: tree,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  // `main` scrolls, not the window: another page begins at its top, also the one of a record that was just created.
  scrollToTopSelectors: ['#content'],
  defaultNotFoundComponent: NotFoundPage,
  parseSearch,
  stringifySearch,
  rewrite: {
    input: ({ url }) => {
      url.pathname = withoutLocale(url.pathname)
      return url
    },
    output: ({ url }) => {
      url.pathname = withLocale(url.pathname, currentLocale())
      return url
    },
  },
})

/** The page at the address that was opened, and the parameters of its path. */
function firstPage() {
  const [, params, route] = router.getMatchedRoutes(router.latestLocation.pathname)
  return { params, ...(route?.options as { staticData?: StaticDataRouteOption } | undefined)?.staticData }
}

/** Fetches the scripts of the first page, before anything is known of the server and of the session. */
export function fetchFirstPage(): void {
  const { read, hasMap } = firstPage()
  read?.().then(
    () => hasMap?.() === true && fetchMapScript(),
    // What fails here fails again, and is reported, where it is needed.
    () => undefined,
  )
}

/** Loads the first page beside the session, not after it: without a session its requests are refused, and the router leads to the sign-in page. */
export function loadFirstPage(): void {
  const { read, hasMap, params } = firstPage()
  if (read === undefined) return
  if (hasMap?.() === true)
    void import('@/records/map/base-style').then(
      ({ fetchStyleAhead }) => fetchStyleAhead(),
      () => undefined,
    )
  const loaded = loadPage(read, { params, search: router.latestLocation.search as Search })
  loaded.catch(() => undefined)
  early = { place: placeOf(router.latestLocation), loaded }
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    read?: () => Promise<PageModule>
    hasMap?: () => boolean
  }
}
