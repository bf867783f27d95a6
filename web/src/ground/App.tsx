import IconMap from '@tabler/icons-react/dist/esm/icons/IconMap.mjs'
import IconSend from '@tabler/icons-react/dist/esm/icons/IconSend.mjs'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useTranslation } from '@/i18n'
import { Banner } from '@/ui/feedback/Banner'
import { calendarToday } from '@/ui/format'
import { openDatabase, type GroundDatabase } from './database'
import { GroundContext, useEntries, useGround, useOnline, useDownloads, type Ground } from './ground'
import { LanguageButton } from './LanguageButton'
import { BigButton, Heading, ScreenLink } from './parts'
import { askPerson, notedPerson, type Link, type Person } from './person'
import { Sender } from './queue/sender'
import { entryApi } from './queue/entry-api'
import { routeOf, usePath, type Route } from './route'
import { HomeScreen } from './screens/HomeScreen'
import { ParcoursScreen } from './screens/ParcoursScreen'
import { QueueScreen, SendState, SignInAgain } from './screens/QueueScreen'
import { useNewVersion } from './worker-page'

const DownloadScreen = lazy(() => import('./screens/DownloadScreen'))
const AreaScreen = lazy(() => import('./screens/AreaScreen'))

/** Everything for the person who is signed in, or who was at the last visit. */
export function App() {
  const { t } = useTranslation('ground')
  const [person, setPerson] = useState<Person | null>(notedPerson)
  const [link, setLink] = useState<Link>('unknown')
  const [opened, setOpened] = useState<{ userId: number; database: GroundDatabase } | null>(null)
  const [failed, setFailed] = useState(false)
  const online = useOnline()
  const id = person?.id

  useEffect(() => {
    let current = true
    void askPerson().then((found) => {
      if (!current) return
      setLink(found.link)
      // Where the person is the same, the state stays the same object, and nothing is rendered again.
      setPerson((before) => (before?.id === found.person?.id && before?.mayRecord === found.person?.mayRecord ? before : found.person))
    })
    return () => {
      current = false
    }
  }, [online])

  useEffect(() => {
    if (id === undefined) return
    let current = true
    openDatabase(id).then(
      async (database) => {
        await forgetSent(database)
        if (current) setOpened({ userId: id, database })
      },
      () => current && setFailed(true),
    )
    return () => {
      current = false
    }
  }, [id])

  const ground = useMemo((): Ground | null => {
    // The database of the person before must not be sent in the name of the next one.
    if (person === null || opened === null || opened.userId !== person.id) return null
    const { database } = opened
    const sender = new Sender({ store: database.entries, api: entryApi, userId: person.id, now: () => new Date() })
    return { person, link, database, sender }
    // A change of the connection is no reason for another sender: see `shown`.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [person, opened])
  const shown = useMemo(() => (ground === null ? null : { ...ground, link }), [ground, link])

  if (failed) return <main className="ground">{t('notStored')}</main>
  if (person === null && link !== 'unknown')
    return (
      <main className="ground">
        <Heading>{t('title')}</Heading>
        {link === 'signed-out' ? <SignInAgain isFirst /> : <Banner tone="warn">{t('needsNetwork')}</Banner>}
        <div className="row">
          <LanguageButton />
        </div>
      </main>
    )
  if (shown === null) return <main className="ground" aria-busy />
  return (
    <GroundContext value={shown}>
      <Screens />
    </GroundContext>
  )
}

/** Entries that were sent stay in sight for the day. */
async function forgetSent({ entries }: GroundDatabase): Promise<void> {
  const today = calendarToday()
  for (const { id, sentAt } of await entries.all()) {
    if (sentAt !== null && calendarToday(new Date(sentAt)) !== today) await entries.remove(id)
  }
}

function Screens() {
  const { t } = useTranslation('ground')
  const path = usePath()
  const route = useMemo(() => routeOf(path), [path])
  const { sender, link, person } = useGround()
  const online = useOnline()
  const waiting = useEntries()?.filter(({ state }) => state !== 'sent').length ?? 0
  const newVersion = useNewVersion()

  // At the start, when the network returns, and when the page is looked at again.
  useEffect(() => {
    if (!online) return
    sender.start()
    const again = () => document.visibilityState === 'visible' && sender.start()
    document.addEventListener('visibilitychange', again)
    return () => {
      document.removeEventListener('visibilitychange', again)
      sender.stop()
    }
  }, [online, sender])

  return (
    <div className="ground">
      <header>
        <nav aria-label={t('nav')}>
          <ScreenLink
            to={{ screen: 'home' }}
            look="plain"
            current={route.screen === 'home'}
            icon={<IconMap size={24} stroke={1.75} aria-hidden />}
          >
            {t('downloads.short')}
          </ScreenLink>
          <ScreenLink
            to={{ screen: 'queue' }}
            look="plain"
            current={route.screen === 'queue'}
            icon={<IconSend size={24} stroke={1.75} aria-hidden />}
          >
            {t('queue.short', { count: waiting })}
          </ScreenLink>
        </nav>
        <p role="status" className="quiet">
          {online ? '' : t('offline')}
        </p>
      </header>
      <main>
        {link === 'signed-out' ? <SignInAgain /> : <SendState />}
        <Screen route={route} />
      </main>
      <footer>
        <p className="quiet">{t('person', { name: person.name })}</p>
        <div className="row">
          <a className="big" data-look="plain" href="/">
            {t('toDesk')}
          </a>
          <LanguageButton />
        </div>
        {newVersion !== null && (
          <Banner live="status">
            <p>{t('version.ready')}</p>
            <BigButton onClick={newVersion}>{t('version.use')}</BigButton>
          </Banner>
        )}
      </footer>
    </div>
  )
}

function Screen({ route }: { route: Route }) {
  const { t } = useTranslation('ground')
  const downloads = useDownloads()
  switch (route.screen) {
    case 'home':
      return <HomeScreen />
    case 'download':
      return (
        <Suspense>
          <DownloadScreen />
        </Suspense>
      )
    case 'download-area':
      return (
        <Suspense>
          <AreaScreen />
        </Suspense>
      )
    case 'queue':
      return <QueueScreen />
    case 'parcours': {
      const found = downloads?.find(({ id }) => id === route.id)
      if (found !== undefined) return <ParcoursScreen key={found.id} download={found} />
      if (downloads === undefined) return null
      return (
        <>
          <Heading>{t('title')}</Heading>
          <p>{t('downloads.absent')}</p>
          <ScreenLink to={{ screen: 'download' }} look="primary">
            {t('download.open')}
          </ScreenLink>
        </>
      )
    }
  }
}
