import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Trans, useTranslation } from '@/i18n'
import { Pole } from '@/ui/Brand'
import { Button, ButtonAnchor } from '@/ui/button/Button'
import { badFilterOf, factsOf, logItems, logText, type LogItem } from './error-facts'
import classes from './ErrorView.module.css'

export interface ErrorViewProps {
  error: unknown
  /** The requested path, as in the address bar. */
  path: string
  previousUrl: string | undefined
  currentUrl: string
  userId: number | undefined
  trackerUrl: string | undefined
  homeHref: string
  loginHref: string
  goBack: () => void
  /** The page could not be fetched, whatever the error says of itself. */
  unreachable?: boolean
  retry: () => void
  copy?: (text: string) => Promise<void>
}

/** The page that replaces the application after an error: what happened, where to go, and what to report. */
export function ErrorView(props: ErrorViewProps) {
  const { t } = useTranslation('shell')
  const facts = factsOf(props.error)
  const variant = props.unreachable === true ? 'unreachable' : facts.variant
  const heading = t(`error.${variant}.heading`, { path: props.path, name: badFilterOf(props.error) })
  useEffect(() => {
    document.title = `${heading} · Jalon`
  }, [heading])
  return (
    <main className={classes['page']} data-variant={variant}>
      <div className={classes['column']}>
        <p className={classes['brand']}>
          <Pole height={32} />
          Jalon
        </p>
        <p className={classes['title']}>
          {t('error.title')} {facts.status}
        </p>
        <h1 tabIndex={-1}>{heading}</h1>
        <p>{t(`error.${variant}.message`)}</p>
        <div className={classes['ways']}>
          <Button icon={<IconArrowLeft size={18} stroke={1.75} aria-hidden />} onClick={props.goBack}>
            {t('error.goBack')}
          </Button>
          {variant === 'unreachable' && (
            <Button look="primary" onClick={props.retry}>
              {t('common:retry')}
            </Button>
          )}
          {variant === 'notFound' && (
            <ButtonAnchor look="primary" href={props.homeHref}>
              {t('error.goHome')}
            </ButtonAnchor>
          )}
          {variant === 'badFilter' && (
            <ButtonAnchor look="primary" href={new URL(props.currentUrl).pathname}>
              {t('error.withoutFilters')}
            </ButtonAnchor>
          )}
          {variant === 'unauthorised' && (
            <ButtonAnchor look="primary" href={props.loginHref}>
              {t('error.signIn')}
            </ButtonAnchor>
          )}
        </div>
        {variant !== 'unreachable' && (
          <p className={classes['question']}>
            <strong>{t(`error.${variant}.question`)}</strong>{' '}
            {props.trackerUrl ? (
              <Trans t={t} i18nKey="error.note" components={{ tracker: <TrackerLink href={props.trackerUrl} /> }} />
            ) : (
              t('error.noteNoTracker')
            )}
          </p>
        )}
        <Technical
          items={logItems(facts, { userId: props.userId, previous: props.previousUrl, current: props.currentUrl })}
          copy={props.copy ?? ((text) => navigator.clipboard.writeText(text))}
        />
      </div>
    </main>
  )
}

/** The translated sentence gives it its text. */
function TrackerLink({ href, children }: { href: string; children?: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}

/** The logs: hidden until a button shows them, which then disappears; another button copies them, shown or not. */
function Technical({ items, copy }: { items: readonly LogItem[]; copy: (text: string) => Promise<void> }) {
  const { t } = useTranslation('shell')
  const [shown, setShown] = useState(false)
  const logs = useRef<HTMLDListElement>(null)
  // The button with the focus disappears.
  useEffect(() => {
    if (shown) logs.current?.focus()
  }, [shown])
  const [announcement, setAnnouncement] = useState('')
  const label = (key: LogItem['key']) => t(`error.logs.${key}`)
  const press = () =>
    copy(logText(items, label)).then(
      () => setAnnouncement(t('error.copied')),
      () => setAnnouncement(t('error.copyFailed')),
    )
  return (
    <section className={classes['technical']} aria-label={t('error.technical')}>
      <h2>{t('error.technical')}</h2>
      <div className={classes['ways']}>
        {!shown && (
          <Button size="small" onClick={() => setShown(true)}>
            {t('error.seeLogs')}
          </Button>
        )}
        <Button size="small" onClick={() => void press()}>
          {t('error.copyLogs')}
        </Button>
        <span role="status" className="small">
          {announcement}
        </span>
      </div>
      {shown && (
        <dl ref={logs} className={classes['logs']} tabIndex={0}>
          {items.map(({ key, value }) => (
            <div key={key}>
              <dt>{label(key)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}
