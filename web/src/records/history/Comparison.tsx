import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { same } from '@/records/form/paths'
import { plainValue, wordsOfHtml } from '@/records/form/plain-value'
import { format } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import classes from './history.module.css'
import { Words } from './Words'

/** A field that two saves hold in two ways. */
export interface Difference {
  field: string
  before: unknown
  after: unknown
}

export interface ComparisonProps<P extends { at: string }> {
  before: UseQueryResult<P>
  after: UseQueryResult<P>
  /** What differs, field by field, in the order of the form. */
  differencesOf: (before: P, after: P) => Difference[]
  /** The label of a field or of a part of it, by its path. */
  nameOf: (path: string) => string
  /** Any value in words, by its path. */
  words: (path: string, value: unknown) => ReactNode
  /** Fields that are compared as a whole although they have parts. */
  whole?: readonly string[]
  editable: boolean
  /** Restoring: some fields, or all without an argument. */
  restoring: { isPending: boolean; variables: string[] | undefined; mutate: (fields: string[] | undefined) => void }
}

/** What changed between two saves, field by field; the older value can be taken back, one field or all. */
export function Comparison<P extends { at: string }>({
  before,
  after,
  differencesOf,
  nameOf,
  words,
  whole = [],
  editable,
  restoring,
}: ComparisonProps<P>) {
  const { t } = useTranslation('history')
  const failed = before.error ?? after.error
  if (failed !== null) return <Banner tone="danger">{problemText(failed)}</Banner>
  if (!before.isSuccess || !after.isSuccess) return <Skeleton height={120} />
  const found = differencesOf(before.data, after.data)
  return (
    <section className={classes['comparison']} aria-label={t('comparison')}>
      <h3>{t('between', { before: format.instant(before.data.at), after: format.instant(after.data.at) })}</h3>
      {found.length === 0 && <p className="small muted">{t('same')}</p>}
      {found.map((difference) => (
        <div key={difference.field} className={classes['field']}>
          <p className={classes['name']}>{nameOf(difference.field)}</p>
          {isParted(difference) && !whole.includes(difference.field) ? (
            <Parts {...difference} nameOf={nameOf} words={words} />
          ) : (
            <Changed path={difference.field} {...difference} words={words} />
          )}
          {editable && (
            <Button
              size="small"
              icon={<IconHistory size={16} stroke={1.75} aria-hidden />}
              busy={restoring.isPending && restoring.variables?.[0] === difference.field}
              onClick={() => restoring.mutate([difference.field])}
            >
              {t('restoreField')}
            </Button>
          )}
        </div>
      ))}
      {editable && found.length > 1 && (
        <Button busy={restoring.isPending && restoring.variables === undefined} onClick={() => restoring.mutate(undefined)}>
          {t('restoreAll', { when: format.instant(before.data.at) })}
        </Button>
      )}
    </section>
  )
}

type Parted = Record<string, unknown>
const hasParts = (value: unknown): value is Parted => typeof value === 'object' && value !== null && !Array.isArray(value)
const isParted = (difference: Difference): difference is { field: string; before: Parted; after: Parted } =>
  hasParts(difference.before) && hasParts(difference.after)

/** Language by language, or part by part (an address). */
function Parts({
  field,
  before,
  after,
  nameOf,
  words,
}: { field: string; before: Parted; after: Parted } & Pick<ComparisonProps<never>, 'nameOf' | 'words'>) {
  const codes = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((code) => !same(before[code], after[code]))
  return codes.map((code) => {
    const isLanguage = /^[a-z]{2}$/.test(code)
    return (
      <div key={code} lang={isLanguage ? code : undefined}>
        <span className={classes['language']}>{isLanguage ? code : nameOf(`${field}.${code}`)}</span>{' '}
        <Changed path={`${field}.${code}`} before={before[code]} after={after[code]} words={words} />
      </div>
    )
  })
}

/** Of a text the words that went are struck and those that came underlined; of another value, before and after. */
function Changed({
  path,
  before,
  after,
  words,
}: {
  path: string
  before: unknown
  after: unknown
  words: (path: string, value: unknown) => ReactNode
}) {
  const { t } = useTranslation('history')
  const strings = [before, after].filter((value) => typeof value === 'string')
  // A code has words of its own: it is no text.
  const isText = strings.length > 0 && path.includes('.') && strings.every((value) => words(path, value) === plainValue(value))
  if (isText) {
    return (
      <p className={classes['words']}>
        <Words before={textOf(before)} after={textOf(after)} />
      </p>
    )
  }
  const [old, now] = [words(path, before), words(path, after)]
  if (typeof old === 'string' && old === now) return <p className="small muted">{t('inDetail', { value: old })}</p>
  return (
    <p className={classes['words']}>
      <del>{old}</del> <ins>{now}</ins>
    </p>
  )
}

const textOf = (value: unknown) => (typeof value === 'string' ? wordsOfHtml(value) : '')
