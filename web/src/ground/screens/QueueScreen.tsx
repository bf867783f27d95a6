import IconSend from '@tabler/icons-react/dist/esm/icons/IconSend.mjs'
import { lazy, Suspense, useRef, useState } from 'react'
import { ProblemError } from '@/api/problem'
import { translate, useTranslation } from '@/i18n'
import { faultText, problemText } from '@/records/problem-text'
import { Banner } from '@/ui/feedback/Banner'
import { format } from '@/ui/format'
import { useEntries, useGround, useOnline, useSender, useDownloads } from '../ground'
import { BigButton, Heading, Sure, useAsking } from '../parts'
import { isEditable, type Entry, type Refusal } from '../queue/entry'
import { PHOTO_LOST } from '../queue/send'
import { draftOf, type Draft } from './draft'

const EntryForm = lazy(() => import('./EntryForm'))

/** What waits, what was refused, and what was sent today. */
export function QueueScreen() {
  const { t } = useTranslation('ground')
  const { database, sender } = useGround()
  const { running } = useSender()
  const entries = useEntries()
  const downloads = useDownloads()
  const [draft, setDraft] = useState<Draft | null>(null)
  const waiting = entries?.filter(({ state }) => state !== 'sent') ?? []
  const sent = entries?.filter(({ state }) => state === 'sent') ?? []

  const edit = async (entry: Entry) => {
    const photos = await Promise.all(
      entry.photos.map(async ({ key }) => {
        const blob = await database.entries.photo(key)
        return blob === null ? [] : [{ key, blob }]
      }),
    )
    setDraft(draftOf(entry, photos.flat()))
  }
  return (
    <>
      <Heading>{t('queue.title')}</Heading>
      <BigButton
        look="primary"
        icon={<IconSend size={26} stroke={1.75} aria-hidden />}
        aria-disabled={running || waiting.length === 0 || undefined}
        onClick={() => sender.start()}
      >
        {t('queue.send')}
      </BigButton>
      {entries !== undefined && waiting.length === 0 && <p role="status">{t('queue.nothing')}</p>}
      <h2 className="visually-hidden">{t('queue.waiting')}</h2>
      <ul className="cards" aria-label={t('queue.title')}>
        {waiting.map((entry) => (
          <EntryCard key={entry.id} entry={entry} onEdit={() => void edit(entry)} />
        ))}
      </ul>
      {sent.length > 0 && (
        <>
          <h2>{t('queue.sentToday')}</h2>
          <ul className="cards" aria-label={t('queue.sentToday')}>
            {sent.map((entry) => (
              <EntryCard key={entry.id} entry={entry} />
            ))}
          </ul>
        </>
      )}
      {draft !== null && (
        <Suspense>
          <EntryForm
            key={draft.id}
            initial={draft}
            download={downloads?.find(({ id }) => id === draft.parcoursId) ?? null}
            onLine={null}
            here={null}
            centre={null}
            onClose={() => setDraft(null)}
          />
        </Suspense>
      )}
    </>
  )
}

/** How the last run ended, where the person must know or do something. */
export function SendState() {
  const { t } = useTranslation('ground')
  const { running, end } = useSender()
  const online = useOnline()
  // Without network the page says so already.
  if (running || end === null || end.kind === 'done' || (end.kind === 'away' && !online)) return null
  if (end.kind === 'signed-out') return <SignInAgain />
  return (
    <Banner tone={end.kind === 'failed' ? 'danger' : 'warn'} live="status">
      {t(`end.${end.kind}`)}
    </Banner>
  )
}

/** The session ended, or none began on this device: what waits stays, and a link leads to the sign-in page and back. */
export function SignInAgain({ isFirst = false }: { isFirst?: boolean }) {
  const { t } = useTranslation('ground')
  return (
    <Banner tone="warn" live="status">
      <p>{t(isFirst ? 'notSignedIn' : 'signedOut')}</p>
      <a className="big" data-look="plain" href={`/login?backurl=${encodeURIComponent(window.location.pathname)}`}>
        {t(isFirst ? 'signInFirst' : 'signIn')}
      </a>
    </Banner>
  )
}

/** What was chosen from a few words: two reports without text must differ. */
const chosenWords = ({ report_kind, closure_kind, condition }: Entry['content']): string[] => [
  report_kind == null ? '' : translate(`reviews:reports.kind.${report_kind}`),
  closure_kind == null ? '' : translate(`closures:kind.${closure_kind}`),
  condition == null ? '' : translate(`ground:condition.${condition}`),
]

function EntryCard({ entry, onEdit }: { entry: Entry; onEdit?: () => void }) {
  const { t } = useTranslation('ground')
  const { database } = useGround()
  const { progress } = useSender()
  const { asking, ask, ref, cancel } = useAsking()
  const { content, parcoursName, photos, state, refusal, asked: isRequested } = entry
  const card = useRef<HTMLLIElement>(null)
  const name = t(`kind.${content.kind}`)
  const chosen = chosenWords(content)
  // The text of a report may be the word that was chosen.
  const words = new Set([...chosen, content.title, content.text].filter(Boolean))
  const which = { name: [name, ...chosen, format.instant(content.made_at)].filter(Boolean).join(', ') }
  const remove = () => {
    const next = card.current?.nextElementSibling ?? card.current?.previousElementSibling
    const heading = next?.querySelector<HTMLElement>('h3') ?? document.querySelector('h1')
    heading?.focus()
    void database.entries.remove(entry.id)
  }
  const isSending = progress?.id === entry.id
  return (
    <li ref={card} className="card" data-state={state}>
      <h3 tabIndex={-1}>{name}</h3>
      <p>{[...words].join(' · ')}</p>
      <p className="quiet">
        {[parcoursName, format.instant(content.made_at), photos.length === 0 ? '' : t('queue.photos', { count: photos.length })].filter(Boolean).join(' · ')}
      </p>
      <p role="status" className="state">
        {isSending ? t('state.sending', { share: format.percent(progress.share * 100, 0) }) : t(entry.isTakenIn ? 'state.takenIn' : `state.${state}`)}
        {state === 'sent' && entry.sentAt !== null && ` ${format.time(entry.sentAt)}`}
      </p>
      {refusal !== null && <Reasons refusal={refusal} />}
      {isRequested && state === 'waiting' && !isSending && <p className="quiet">{t('queue.asked')}</p>}
      {state !== 'sent' &&
        !isSending &&
        (asking ? (
          <Sure
            question={t(isRequested ? 'queue.deleteAsked' : 'queue.deleteSure')}
            yes={t('delete')}
            onYes={remove}
            onCancel={cancel}
          />
        ) : (
          <div className="row">
            {onEdit !== undefined && isEditable(entry) && (
              <BigButton aria-label={t('queue.editOf', which)} onClick={onEdit}>
                {t('queue.edit')}
              </BigButton>
            )}
            <BigButton ref={ref} aria-label={t('queue.deleteOf', which)} onClick={ask}>
              {t('delete')}
            </BigButton>
          </div>
        ))}
    </li>
  )
}

/** The sentences of the server, for each field where it names them. */
function Reasons({ refusal: { status, code, params, faults } }: { refusal: Refusal }) {
  const { t } = useTranslation('ground')
  if (code === PHOTO_LOST) return <p className="fault">{t('queue.photoLost')}</p>
  if (faults.length === 0) return <p className="fault">{problemText(new ProblemError(status, { code, params }))}</p>
  return (
    <ul className="fault">
      {faults.map((fault, index) => (
        <li key={index}>{fault.field === undefined ? faultText(fault) : format.labelled(fieldName(t, fault.field), faultText(fault))}</li>
      ))}
    </ul>
  )
}

const fields = ['title', 'category_id', 'step_id', 'poi_id', 'before', 'report_kind', 'closure_kind', 'until', 'condition', 'track', 'text', 'position', 'parcours_id', 'media_ids', 'from_m', 'to_m', 'made_at'] as const

/** A field of the request as the form calls it. */
function fieldName(t: ReturnType<typeof useTranslation<'ground'>>['t'], pointer: string): string {
  const field = fields.find((one) => pointer === `/${one}` || pointer.startsWith(`/${one}/`))
  return field === undefined ? pointer : t(`field.${field}`)
}
