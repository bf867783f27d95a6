import { Drawer } from '@mantine/core'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { resourceApi, type CatalogueRecord } from '@/api/resource'
import type { RevisionRow } from '@/api/model'
import { textFor, useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { toast, toastError } from '@/ui/feedback/toast'
import { Checkbox } from '@/ui/field/inputs'
import { same, type Values } from '@/ui/form/paths'
import { plainValue } from '@/ui/form/plain-value'
import { format } from '@/ui/format'
import classes from '@/ui/history/history.module.css'
import { Words } from '@/ui/history/Words'
import { problemText } from '@/ui/problem-text'

/** Whose history is shown, and how its fields are read. */
export interface HistorySubject {
  base: string
  queryKey: readonly string[]
  id: number
  version: number
  editable: boolean
  nameOf: (field: string) => string
  /** The fields of a past save, one key each. */
  valuesOf: (past: object) => Values
  valueWords?: ((path: string, value: unknown) => ReactNode) | undefined
}

const revisionOf = ({ base, queryKey, id }: HistorySubject, version: number) =>
  // What a save made never changes: kept for the session.
  queryOptions({ queryKey: [...queryKey, id, 'revision', version], queryFn: () => resourceApi<CatalogueRecord>(base).revision(id, version), staleTime: Infinity })

/** Every save of a record, newest first; two that are ticked are compared, and a field or all can be taken back. */
export default function RecordHistory({ subject, onClose }: { subject: HistorySubject; onClose: () => void }) {
  const { base, queryKey, id, version } = subject
  const { t } = useTranslation('resource')
  const list = useQuery({ queryKey: [...queryKey, id, 'revisions', version], queryFn: () => resourceApi(base).revisions(id) })
  const [ticked, setTicked] = useState<readonly number[]>([])
  // A third tick takes the place of the oldest one: there are always at most two.
  const tick = (one: number, on: boolean) => setTicked(on ? [...ticked.slice(-1), one] : ticked.filter((other) => other !== one))
  const [older, newer] = [...new Set(ticked.length === 1 ? [...ticked, version] : ticked)].sort((a, b) => a - b)
  return (
    <Drawer.Root opened onClose={onClose} position="right" size={560} zIndex={200} classNames={{ content: classes['content'] ?? '' }}>
      <Drawer.Overlay />
      <Drawer.Content>
        <div className={classes['header']}>
          <Drawer.Title className={classes['title'] ?? ''}>{t('history.title')}</Drawer.Title>
          <Drawer.CloseButton aria-label={t('common:close')} />
        </div>
        <Drawer.Body className={classes['body'] ?? ''}>
          <p className="small muted">{t('history.how')}</p>
          {list.isPending && <Skeleton height={180} />}
          {list.isError && <Banner tone="danger">{problemText(list.error)}</Banner>}
          <ul className={classes['list']} data-comparing={newer !== undefined || undefined}>
            {(list.data ?? []).map((row) => (
              <Line key={row.version} row={row} nameOf={subject.nameOf} current={row.version === version} ticked={ticked.includes(row.version)} onTick={(on) => tick(row.version, on)} />
            ))}
          </ul>
          {older !== undefined && newer !== undefined && <Comparison key={`${older} ${newer}`} subject={subject} older={older} newer={newer} onRestored={() => setTicked([])} />}
          {ticked.length === 1 && newer === undefined && <p className="small muted">{t('history.isCurrent')}</p>}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}

function Line({ row, nameOf, current, ticked, onTick }: { row: RevisionRow; nameOf: (field: string) => string; current: boolean; ticked: boolean; onTick: (on: boolean) => void }) {
  const { t } = useTranslation('resource')
  const fields = row.fields.includes('*') ? t('history.made') : format.list(row.fields.map(nameOf))
  const reason = row.reason === null ? undefined : textFor(`resource:history.reason.${row.reason}`)
  return (
    <li className={classes['line']}>
      <Checkbox
        checked={ticked}
        onChange={onTick}
        label={
          <>
            <strong>{row.user?.name ?? t('history.automatic')}</strong> <span className="muted">{format.instant(row.at)}</span> {current && <span className={classes['now']}>{t('history.current')}</span>}
          </>
        }
        hint={[reason, fields === '' ? t('history.nothing') : fields].filter(Boolean).join(' · ')}
      />
    </li>
  )
}

interface Difference {
  field: string
  before: unknown
  after: unknown
}

function Comparison({ subject, older, newer, onRestored }: { subject: HistorySubject; older: number; newer: number; onRestored: () => void }) {
  const { t } = useTranslation('resource')
  const [before, after] = [useQuery(revisionOf(subject, older)), useQuery(revisionOf(subject, newer))]
  const send = useRestore(subject, older, onRestored)
  const failed = before.error ?? after.error
  if (failed !== null) return <Banner tone="danger">{problemText(failed)}</Banner>
  if (!before.isSuccess || !after.isSuccess) return <Skeleton height={120} />
  // A past save holds what the staff filled in; the rest is the same record.
  const [old, now] = [subject.valuesOf(before.data.record), subject.valuesOf(after.data.record)]
  const found: Difference[] = Object.keys(now).flatMap((field) => (same(old[field], now[field]) ? [] : [{ field, before: old[field], after: now[field] }]))
  const { editable } = subject
  return (
    <section className={classes['comparison']} aria-label={t('history.comparison')}>
      <h3>{t('history.between', { before: format.instant(before.data.at), after: format.instant(after.data.at) })}</h3>
      {found.length === 0 && <p className="small muted">{t('history.same')}</p>}
      {found.map((difference) => (
        <div key={difference.field} className={classes['field']}>
          <p className={classes['name']}>{subject.nameOf(difference.field)}</p>
          <Changed {...difference} words={subject.valueWords ?? ((_, value) => plainValue(value))} />
          {editable && (
            <Button size="small" icon={<IconHistory size={16} stroke={1.75} aria-hidden />} busy={send.isPending && send.variables?.[0] === difference.field} onClick={() => send.mutate([difference.field])}>
              {t('history.restoreField')}
            </Button>
          )}
        </div>
      ))}
      {editable && found.length > 1 && (
        <Button busy={send.isPending && send.variables === undefined} onClick={() => send.mutate(undefined)}>
          {t('history.restoreAll', { when: format.instant(before.data.at) })}
        </Button>
      )}
    </section>
  )
}

const isText = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const bare = (value: unknown) => (typeof value === 'string' ? value.replace(/<[^>]+>/g, ' ') : '')

/** Texts language by language with their words struck and underlined; other values before and after. */
function Changed({ field, before, after, words }: Difference & { words: (path: string, value: unknown) => ReactNode }) {
  if (isText(before) && isText(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((code) => !same(before[code], after[code]))
      .map((code) => (
        <p key={code} className={classes['words']}>
          <span className={classes['language']}>{code}</span>{' '}
          {typeof (before[code] ?? after[code]) === 'string' ? (
            <Words before={bare(before[code])} after={bare(after[code])} />
          ) : (
            <>
              <del>{words(`${field}.${code}`, before[code])}</del> <ins>{words(`${field}.${code}`, after[code])}</ins>
            </>
          )}
        </p>
      ))
  }
  return (
    <p className={classes['words']}>
      <del>{words(field, before)}</del> <ins>{words(field, after)}</ins>
    </p>
  )
}

/** Restoring is itself a save: what is typed and not saved stays, over it. */
function useRestore({ base, id, version }: HistorySubject, from: number, onRestored: () => void) {
  const { t } = useTranslation('resource')
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (fields: string[] | undefined) => resourceApi(base).restore(id, version, from, fields),
    onSuccess: async () => {
      await cache.invalidateQueries()
      onRestored()
      toast({ text: t('history.restored') })
    },
    onError: (error) => toastError(t('because', { what: t('history.failed'), why: problemText(error) })),
  })
}
