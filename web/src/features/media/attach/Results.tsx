import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { Media } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { Checkbox, Segments } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { LoadMore } from '@/ui/list/LoadMore'
import classes from './attach.module.css'
import type { Kind, Match } from './match'
import { attachedQuery } from './queries'
import { PhotoRow, type How } from './Row'
import { readFor, rowsOf, stateOf, states, tasksOf, type Choices } from './rows'
import type { Task } from './write'

/** Rows that are drawn at once. */
const AT_ONCE = 50

interface ResultsProps {
  kind: Kind
  how: How
  withinM: number
  matches: readonly Match[]
  mediaFiles: readonly Media[]
  /** Pairs that were attached on this page. */
  written: ReadonlySet<string>
  isBusy: boolean
  onWrite: (tasks: Task[]) => void
}

/** What was found, photo by photo: the record can be changed, the ticked ones are written. */
export function Results({ kind, how, withinM, matches, mediaFiles, written, isBusy, onWrite }: ResultsProps) {
  const { t } = useTranslation('attach')
  const cache = useQueryClient()
  const [choices, setChoices] = useState<Choices>(new Map())
  const [picking, setPicking] = useState<ReadonlySet<string>>(new Set())
  const [unticked, setUnticked] = useState<ReadonlySet<string>>(new Set())
  const [shown, setShown] = useState<'all' | 'several' | 'none'>('all')
  const [drawn, setDrawn] = useState(AT_ONCE)
  const wanted = useMemo(
    () => readFor(rowsOf(matches, mediaFiles, { choices, unticked, attached: new Set() })),
    [matches, mediaFiles, choices, unticked],
  )
  const { data: read } = useQuery(attachedQuery(cache, kind, wanted))
  const attached = useMemo(() => new Set([...(read ?? []), ...written]), [read, written])
  const rows = useMemo(
    () => rowsOf(matches, mediaFiles, { choices, unticked, attached }),
    [matches, mediaFiles, choices, unticked, attached],
  )
  const onTick = useCallback(
    (key: string) =>
      setUnticked((before) => {
        const after = new Set(before)
        if (!after.delete(key)) after.add(key)
        return after
      }),
    [],
  )
  const onChoose = useCallback((key: string, id: number | null) => setChoices((before) => new Map(before).set(key, id)), [])
  const onPick = useCallback((key: string) => setPicking((before) => new Set(before).add(key)), [])
  const counted = states.map((state) => ({ state, count: rows.filter((row) => stateOf(row) === state).length }))
  const summary = counted
    .filter(({ state, count }) => count > 0 || state === 'ready')
    .map(({ state, count }) => t(`summary.${state}`, { count }))
  const ready = rows.filter(({ isTicked }) => isTicked)
  const tickable = rows.filter(({ recordId, isAttached }) => recordId !== null && !isAttached)
  // By what was found, not by what was chosen since: a row stays where it is while its record is chosen.
  const several = rows.filter(({ match }) => match.proposals.length > 1)
  const none = rows.filter(({ match }) => match.proposals.length === 0)
  const among = { all: rows, several, none }[shown]
  const show = (next: typeof shown) => {
    setShown(next)
    setDrawn(AT_ONCE)
  }
  const choice = (value: typeof shown, count: number) => ({ value, label: `${t(`shown.${value}`)} (${format.number(count)})` })
  return (
    <Card title={t('found')}>
      <div className={classes['results']}>
        <p role={isBusy ? undefined : 'status'} className={classes['summary']}>
          {format.list(summary)}
        </p>
        {(several.length > 0 || none.length > 0) && (
          <div className={classes['filter']}>
            <Segments
              label={t('show')}
              value={shown}
              onChange={show}
              choices={[choice('all', rows.length), choice('several', several.length), choice('none', none.length)]}
            />
          </div>
        )}
        {among.length === 0 ? (
          <p className="muted">{t('nothingShown')}</p>
        ) : (
          <table className={classes['table']}>
            <caption className="visually-hidden">{t('found')}</caption>
            <thead>
              <tr>
                <th scope="col" className={classes['tick']}>
                  <Checkbox
                    bare
                    checked={ready.length > 0 && ready.length === tickable.length}
                    indeterminate={ready.length > 0 && ready.length < tickable.length}
                    disabled={tickable.length === 0 || isBusy}
                    onChange={(all) => setUnticked(all ? new Set() : new Set(tickable.map(({ match }) => match.key)))}
                    label={t('tickAll')}
                  />
                </th>
                <th scope="col">{t('column.photo')}</th>
                <th scope="col">{t('column.record')}</th>
                <th scope="col">{t('column.why')}</th>
              </tr>
            </thead>
            <tbody>
              {among.slice(0, drawn).map((row) => (
                <PhotoRow
                  key={row.match.key}
                  row={row}
                  kind={kind}
                  how={how}
                  withinM={withinM}
                  isPicking={picking.has(row.match.key)}
                  isBusy={isBusy}
                  onTick={onTick}
                  onChoose={onChoose}
                  onPick={onPick}
                />
              ))}
            </tbody>
          </table>
        )}
        {among.length > drawn && (
          <LoadMore
            pages={{ hasNextPage: true, isFetchingNextPage: false, fetchNextPage: () => setDrawn(drawn + AT_ONCE) }}
            more={t('more')}
            end=""
          />
        )}
        <div className={classes['foot']}>
          <Button
            look="primary"
            disabledReason={isBusy ? t('running') : ready.length === 0 ? t('nothingTicked') : undefined}
            onClick={() => onWrite(tasksOf(rows))}
          >
            {t('write', { count: ready.length })}
          </Button>
          <p className="small muted">{t('public')}</p>
        </div>
      </div>
    </Card>
  )
}
