import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery, type QueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState, type MouseEvent } from 'react'
import { useTranslation } from '@/i18n'
import { api, unwrap } from '@/api/client'
import { payload } from '@/api/payload'
import { withoutLocale } from '@/i18n/locale'
import { Banner } from '@/ui/feedback/Banner'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { Field } from '@/ui/field/Field'
import { TextInput } from '@/ui/field/inputs'
import { usePageMeta } from '@/ui/page-meta'
import { problemText } from '@/records/problem-text'
import { typesetPage } from './typeset-page'
import classes from './help.module.css'

export const texts = ['help']

const indexQuery = (search: string) =>
  queryOptions({
    queryKey: ['guide', 'index', search],
    queryFn: async () => {
      const index = await unwrap(api.GET('/api/v1/guide', { params: { query: { search: search || undefined } } }))
      const pages = index.pages.map(({ excerpt, ...page }) => ({
        ...page,
        title: typesetPage(page.title),
        ...(excerpt === undefined ? {} : { excerpt: typesetPage(excerpt) }),
      }))
      return { ...index, pages }
    },
    staleTime: Infinity,
  })
const pageQuery = (slug: string) =>
  queryOptions({
    queryKey: ['guide', 'page', slug],
    queryFn: async () => {
      const page = await unwrap(api.GET('/api/v1/guide/{slug}', { params: { path: { slug } } }))
      return { ...page, title: typesetPage(page.title), html: typesetPage(page.html) }
    },
    staleTime: Infinity,
  })

export async function load({ queryClient, params }: { queryClient: QueryClient; params: Record<string, string> }): Promise<void> {
  const slug = params['slug']
  await Promise.all([
    queryClient.ensureQueryData(indexQuery('')),
    slug === undefined ? undefined : queryClient.ensureQueryData(pageQuery(slug)),
  ])
}

/** The guide inside the app: its pages, a search through them, the version and the contact. */
export function Page() {
  const { t } = useTranslation('help')
  const { slug: requested } = useParams({ strict: false })
  const { search: first = '' } = useSearch({ strict: false })
  const [words, setWords] = useState(first)
  const [search] = useDebouncedValue(words.trim(), 200)
  const index = useQuery({ ...indexQuery(search), placeholderData: keepPreviousData })
  const all = useQuery(indexQuery(''))
  const slug = requested ?? all.data?.pages[0]?.slug
  const page = useQuery({ ...pageQuery(slug ?? ''), enabled: slug !== undefined })
  usePageMeta([{ label: t('title'), link: { to: '/help' } }, ...(page.data && requested ? [{ label: page.data.title }] : [])])
  const navigate = useNavigate()
  /** A link from one page of the guide to another stays in the app. */
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || link.origin !== window.location.origin) return
    const path = withoutLocale(link.pathname)
    const target = /^\/help\/([\w-]+)$/.exec(path)?.[1]
    if (target === undefined) return
    event.preventDefault()
    void navigate({ to: '/help/$slug', params: { slug: target }, hash: link.hash.slice(1) })
  }
  const pages = index.data?.pages ?? []
  return (
    <div className={classes['page']}>
      <aside className={classes['side']}>
        <Field label={t('search')}>{(wiring) => <TextInput {...wiring} type="search" value={words} onChange={setWords} />}</Field>
        <p className="visually-hidden" role="status">
          {search === '' ? '' : t('found', { count: pages.length })}
        </p>
        <nav aria-label={t('pages')}>
          <ul className={classes['list']}>
            {pages.map((one) => (
              <li key={one.slug}>
                <Link
                  to="/help/$slug"
                  params={{ slug: one.slug }}
                  aria-current={one.slug === slug ? 'page' : undefined}
                  activeProps={{}}
                  inactiveProps={{}}
                >
                  {one.title}
                  {search !== '' && one.excerpt !== undefined && <span className={classes['excerpt']}>{one.excerpt}</span>}
                </Link>
              </li>
            ))}
          </ul>
          {search !== '' && pages.length === 0 && !index.isFetching && <p className="small muted">{t('nothing', { words: search })}</p>}
        </nav>
        <div className={classes['about']}>
          <p>{t('version', { version: all.data?.version ?? payload().version })}</p>
          {all.data?.contact && <Contact contact={all.data.contact} />}
          {payload().issue_tracker_url && (
            <p>
              <a href={payload().issue_tracker_url} target="_blank" rel="noreferrer">
                {t('report')}
              </a>
            </p>
          )}
        </div>
      </aside>
      <article className={classes['article']}>
        <h1 tabIndex={-1}>{page.data?.title ?? t('title')}</h1>
        {page.error && (
          <Banner tone="danger" live="alert">
            {problemText(page.error)}
          </Banner>
        )}
        {slug === undefined && !all.isPending && <p className="muted">{t('empty')}</p>}
        {page.isPending && slug !== undefined && <Skeleton height={180} />}
        {page.data && (
          // The guide is ours and built with the server: its HTML is trusted. Its links are real links, so that keys work.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
          <div className={classes['text']} onClick={follow} dangerouslySetInnerHTML={{ __html: page.data.html }} />
        )}
      </article>
    </div>
  )
}

/** Shows an e-mail address or a web address as a link, other text unchanged. */
function Contact({ contact }: { contact: string }) {
  const { t } = useTranslation('help')
  const href = contact.startsWith('http') ? contact : contact.includes('@') && !contact.includes(' ') ? `mailto:${contact}` : undefined
  return (
    <p>
      {t('contact')} {href === undefined ? contact : <a href={href}>{contact}</a>}
    </p>
  )
}
