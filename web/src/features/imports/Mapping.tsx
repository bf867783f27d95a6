import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ImportFieldRule, ImportMapping, ImportSource, ImportTarget, ImportValueRule, ImportWord } from '@/api/model'
import { useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { Button, IconButton } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { toast, toastError } from '@/ui/feedback/toast'
import { Field } from '@/ui/field/Field'
import { SelectInput, Switch } from '@/ui/field/inputs'
import { useVocabulary } from '@/ui/form/vocabulary'
import { format, textOf } from '@/ui/format'
import { problemText } from '@/ui/problem-text'
import classes from './imports.module.css'
import { changeSource, refresh } from './imports'

/** What their fields and words become here, without a line of code. */
export function Mapping({ source, mapping, tried }: { source: ImportSource; mapping: ImportMapping; /** Whether the source was run, dry or not. */ tried: boolean }) {
  const { t } = useTranslation('imports')
  const cache = useQueryClient()
  const [rules, setRules] = useState<readonly ImportFieldRule[]>(mapping.rules)
  const [said, setSaid] = useState<readonly ImportValueRule[]>(source.values)
  const save = useMutation({
    mutationFn: () => changeSource(source, { fields: rules, values: said }),
    onSuccess: async () => {
      toast({ text: t('mapping.saved') })
      await refresh(cache)
    },
    onError: (error) => toastError(problemText(error)),
  })
  const changed = rules !== mapping.rules || said !== source.values
  if (mapping.fields.length === 0) return <EmptyState title={t('tab.mapping')} text={t(tried ? 'mapping.nothingMet' : 'mapping.lead')} />
  const fill = (to: ImportTarget, from: string[]) => setRules([...rules.filter((rule) => rule.to !== to), { to, from }])
  const say = (word: ImportWord, term: number | null | undefined) => {
    const others = said.filter(({ list, key }) => list !== word.list || key !== word.key)
    setSaid(term === undefined ? others : [...others, { list: word.list, key: word.key, term_id: term }])
  }
  return (
    <>
      <Words words={mapping.words} said={said} say={say} />
      <section className={classes['part']} aria-labelledby="import-fields">
        <h2 id="import-fields">{t('mapping.fields')}</h2>
        <p className="small muted">{t('mapping.fieldsText')}</p>
        <ul className={classes['rules']}>
          {mapping.targets.map(({ target, several }) => (
            <FieldRule key={target} target={target} several={several} from={rules.find(({ to }) => to === target)?.from ?? []} fields={mapping.fields} fill={(from) => fill(target, from)} />
          ))}
        </ul>
      </section>
      <div className={classes['foot']}>
        {changed && <Banner tone="warn">{t('mapping.unsaved')}</Banner>}
        <Button look="primary" busy={save.isPending} onClick={() => save.mutate()}>
          {t('mapping.save')}
        </Button>
      </div>
    </>
  )
}

interface FieldRuleProps {
  target: ImportTarget
  several: boolean
  from: readonly string[]
  fields: ImportMapping['fields']
  fill: (from: string[]) => void
}

/** One of our fields, and theirs that fill it. */
function FieldRule({ target, several, from, fields, fill }: FieldRuleProps) {
  const { t } = useTranslation('imports')
  const ours = t(`target.${target}`)
  const known = [...fields.map(({ name }) => name), ...from.filter((name) => fields.every((field) => field.name !== name))]
  const choices = (own: string | undefined) => known.filter((name) => name === own || !from.includes(name)).map((name) => ({ value: name, label: name }))
  const sample = fields.find(({ name }) => name === from[0])?.sample
  return (
    <li className={classes['rule']}>
      <Field label={ours} hint={sample === undefined || sample === '' ? undefined : t('mapping.sample', { words: sample })}>
        {(wiring) => <SelectInput {...wiring} value={from[0] ?? null} onChange={(name) => fill(name === null ? [] : [name, ...from.slice(1)])} choices={choices(from[0])} empty={t('mapping.nothing')} />}
      </Field>
      {from.slice(1).map((name) => (
        <span key={name} className={classes['more']}>
          + {name}
          <IconButton label={t('mapping.remove', { name })} look="ghost" size="small" icon={<IconX size={14} stroke={1.75} aria-hidden />} onClick={() => fill(from.filter((one) => one !== name))} />
        </span>
      ))}
      {several && from.length > 0 && (
        <SelectInput aria-label={format.labelled(t('mapping.add'), ours)} value={null} onChange={(name) => name !== null && fill([...from, name])} choices={choices(undefined)} empty={t('mapping.add')} />
      )}
    </li>
  )
}

/** Words of theirs: those nobody said the meaning of come first. */
function Words({ words, said, say }: { words: readonly ImportWord[]; said: readonly ImportValueRule[]; say: (word: ImportWord, term: number | null | undefined) => void }) {
  const { t } = useTranslation('imports')
  const [all, setAll] = useState(false)
  const waiting = words.filter(({ state }) => state === 'waiting')
  const shown = all ? words : waiting
  return (
    <section className={classes['part']} aria-labelledby="import-words">
      <h2 id="import-words">
        {t('mapping.words')} {waiting.length > 0 && <Badge tone="warn">{t('mapping.waiting', { count: waiting.length })}</Badge>}
      </h2>
      <p className="small muted">{waiting.length === 0 ? t('mapping.allDone') : t('mapping.wordsText')}</p>
      {words.length > waiting.length && <Switch label={t('mapping.all')} checked={all} onChange={setAll} />}
      <ul className={classes['rules']}>
        {shown.map((word) => (
          <WordRule key={`${word.list} ${word.key}`} word={word} rule={said.find(({ list, key }) => list === word.list && key === word.key)} say={(term) => say(word, term)} />
        ))}
      </ul>
    </section>
  )
}

const LEFT_OUT = 'left-out'

function WordRule({ word, rule, say }: { word: ImportWord; rule: ImportValueRule | undefined; say: (term: number | null | undefined) => void }) {
  const { t } = useTranslation('imports')
  // Of levels, those of the parcours' own scale.
  const { choices } = useVocabulary(word.list, (item) => word.list !== 'level' || (item.attributes as { scale?: string }).scale === 'general')
  const value = rule === undefined ? (word.state === 'alike' && word.term_id !== null ? String(word.term_id) : null) : rule.term_id === null ? LEFT_OUT : String(rule.term_id)
  return (
    <li className={classes['rule']}>
      <Field label={t('mapping.word', { word: textOf(word.label, word.key), list: t(`list_.${word.list as 'tag'}`) })} hint={rule === undefined && word.state === 'alike' ? t('mapping.alike') : undefined}>
        {(wiring) => (
          <SelectInput {...wiring} value={value} onChange={(next) => say(next === null ? undefined : next === LEFT_OUT ? null : Number(next))} choices={[{ value: LEFT_OUT, label: t('mapping.leaveOut') }, ...choices]} empty={t('mapping.choose')} />
        )}
      </Field>
    </li>
  )
}
