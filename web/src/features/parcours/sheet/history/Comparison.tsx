import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { textFor, useTranslation } from '@/i18n'
import type { Parcours, Revision } from '@/api/model'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { toast, toastError } from '@/ui/feedback/toast'
import { languageName } from '@/ui/form/fields'
import { same } from '@/ui/form/paths'
import { format } from '@/ui/format'
import { Words } from '@/ui/history/Words'
import { problemText } from '@/ui/problem-text'
import { useSheet } from '../context'
import { currentOf } from '../fresh'
import { parcoursQuery, restore, revisionQuery } from '../queries'
import { useValueWords } from '../useValueWords'
import { differences, type Difference } from './diff'
import classes from '@/ui/history/history.module.css'

/** What changed between two saves, field by field; the older value can be taken back, one field or all. */
export function Comparison({ older, newer, onRestored }: { older: number; newer: number; onRestored: () => void }) {
  const { t } = useTranslation('sheet')
  const { parcours } = useSheet()
  const [before, after] = [useQuery(revisionQuery(parcours.id, older)), useQuery(revisionQuery(parcours.id, newer))]
  const send = useRestore(older, onRestored)
  const failed = before.error ?? after.error
  if (failed !== null) return <Banner tone="danger">{problemText(failed)}</Banner>
  if (!before.isSuccess || !after.isSuccess) return <Skeleton height={120} />
  // A past save holds what the staff filled in; the rest is the same parcours.
  const whole = (revision: Revision): Parcours => ({ ...parcours, ...revision.parcours })
  const found = differences(whole(before.data), whole(after.data))
  return (
    <section className={classes['comparison']} aria-label={t('history.comparison')}>
      <h3>{t('history.between', { before: format.instant(before.data.at), after: format.instant(after.data.at) })}</h3>
      {found.length === 0 && <p className="small muted">{t('history.same')}</p>}
      {found.map((difference) => (
        <div key={difference.field} className={classes['field']}>
          <p className={classes['name']}>{textFor(`sheet:field.${difference.field}`) ?? difference.field}</p>
          <Changed {...difference} />
          {parcours.editable && (
            <Button size="small" icon={<IconHistory size={16} stroke={1.75} aria-hidden />} busy={send.isPending && send.variables?.[0] === difference.field} onClick={() => send.mutate([difference.field])}>
              {t('history.restoreField')}
            </Button>
          )}
        </div>
      ))}
      {parcours.editable && found.length > 1 && (
        <Button busy={send.isPending && send.variables === undefined} onClick={() => send.mutate(undefined)}>
          {t('history.restoreAll', { when: format.instant(before.data.at) })}
        </Button>
      )}
    </section>
  )
}

/** Texts language by language with their words struck and underlined; other values before and after. */
function Changed({ field, before, after }: Difference) {
  const words = useValueWords()
  const isText = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
  if (isText(before) && isText(after) && field !== 'trace' && field !== 'special_levels') {
    const languages = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((code) => !same(before[code], after[code]))
    return languages.map((code) => (
      <p key={code} lang={code} className={classes['words']}>
        <span className={classes['language']} title={languageName(code)}>
          {code}
        </span>{' '}
        <Words before={blank(words(field, before[code]))} after={blank(words(field, after[code]))} />
      </p>
    ))
  }
  return (
    <p className={classes['words']}>
      <del>{words(field, before)}</del> <ins>{words(field, after)}</ins>
    </p>
  )
}

const blank = (text: string) => (text === '–' ? '' : text)

/** Restoring is itself a save: what is typed and not saved stays, over it. */
function useRestore(from: number, onRestored: () => void) {
  const { t } = useTranslation('sheet')
  const { parcours, take } = useSheet()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (fields: string[] | undefined) => restore(parcours.id, parcours.version, from, fields),
    onSuccess: (answer) => {
      take(answer)
      onRestored()
      toast({ text: t('done.restored') })
    },
    onError: (error) => {
      const current = currentOf(error)
      if (current !== null) cache.setQueryData(parcoursQuery(parcours.id).queryKey, current)
      toastError(t('error.because', { what: t('error.restore'), why: problemText(error) }))
    },
  })
}
