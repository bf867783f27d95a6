import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ImportValueRule, SitColumn, SitMapping, SitSource } from '@/api/model'
import { useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { Button } from '@/ui/button/Button'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { toast, toastError } from '@/ui/feedback/toast'
import { Field } from '@/ui/field/Field'
import { SelectInput, Switch } from '@/ui/field/inputs'
import { useVocabulary } from '@/ui/form/vocabulary'
import { textOf } from '@/ui/format'
import { problemText } from '@/ui/problem-text'
import { changeSource, refresh } from './data'
import classes from './sit.module.css'

const LEFT_OUT = 'left-out'

/** What the words of a source become, and of Tourinsoft which columns fill which field. */
export function Mapping({ source, mapping }: { source: SitSource; mapping: SitMapping }) {
  const { t } = useTranslation('sit')
  const cache = useQueryClient()
  const { choices } = useVocabulary('poi_category')
  const [said, setSaid] = useState<readonly ImportValueRule[]>(source.values)
  const [columns, setColumns] = useState<SitSource['columns']>(source.columns)
  const [all, setAll] = useState(false)
  const save = useMutation({
    mutationFn: () => changeSource(source, { values: said, columns }),
    onSuccess: async () => {
      toast({ text: t('mapping.saved') })
      await refresh(cache)
    },
    onError: (error) => toastError(problemText(error)),
  })
  if (mapping.words.length === 0 && mapping.columns.length === 0) return <EmptyState title={t('source.tab.mapping')} text={t('mapping.lead')} />
  const waiting = mapping.words.filter(({ state }) => state === 'waiting')
  const say = (key: string, term: number | null | undefined) => {
    const others = said.filter((rule) => rule.key !== key)
    setSaid(term === undefined ? others : [...others, { list: 'poi_category', key, term_id: term }])
  }
  const fill = (to: SitColumn, name: string | null) => setColumns([...columns.filter((rule) => rule.to !== to), ...(name === null ? [] : [{ to, from: [name] }])])
  return (
    <>
      <section className={classes['part']} aria-labelledby="sit-words">
        <h2 id="sit-words">
          {t('mapping.words')} {waiting.length > 0 && <Badge tone="warn">{t('mapping.waiting', { count: waiting.length })}</Badge>}
        </h2>
        <p className="small muted">{waiting.length === 0 ? t('mapping.allDone') : t('mapping.wordsText')}</p>
        {mapping.words.length > waiting.length && <Switch label={t('mapping.all')} checked={all} onChange={setAll} />}
        <ul className={classes['rules']}>
          {(all ? mapping.words : waiting).map(({ key, label, state, term_id: term }) => {
            const rule = said.find((one) => one.key === key)
            const value = rule === undefined ? (state === 'alike' && term !== null ? String(term) : null) : rule.term_id === null ? LEFT_OUT : String(rule.term_id)
            return (
              <li key={key}>
                <Field label={textOf(label, key)} hint={rule === undefined && state === 'alike' ? t('mapping.alike') : undefined}>
                  {(wiring) => <SelectInput {...wiring} value={value} onChange={(next) => say(key, next === null ? undefined : next === LEFT_OUT ? null : Number(next))} choices={[{ value: LEFT_OUT, label: t('mapping.leaveOut') }, ...choices]} empty={t('mapping.choose')} />}
                </Field>
              </li>
            )
          })}
        </ul>
      </section>
      {mapping.columns.length > 0 && (
        <section className={classes['part']} aria-labelledby="sit-columns">
          <h2 id="sit-columns">{t('mapping.columns')}</h2>
          <p className="small muted">{t('mapping.columnsText')}</p>
          <ul className={classes['rules']}>
            {mapping.fields.map(({ to, from }) => {
              const value = columns.find((rule) => rule.to === to)?.from[0] ?? null
              const sample = mapping.columns.find(({ name }) => name === (value ?? from[0]))?.sample
              return (
                <li key={to}>
                  <Field label={t(`mapping.to.${to}`)} hint={sample === undefined ? undefined : t('mapping.sample', { words: sample })}>
                    {(wiring) => <SelectInput {...wiring} value={value} onChange={(name) => fill(to, name)} choices={mapping.columns.map(({ name }) => ({ value: name, label: name }))} empty={t('mapping.nothingColumn')} />}
                  </Field>
                </li>
              )
            })}
          </ul>
        </section>
      )}
      <div className={classes['foot']}>
        <Button look="primary" busy={save.isPending} onClick={() => save.mutate()}>
          {t('mapping.save')}
        </Button>
      </div>
    </>
  )
}
