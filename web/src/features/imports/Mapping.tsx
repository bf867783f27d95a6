import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useState } from 'react'
import type { ImportMapping, ImportTarget, ImportWord, VocabularyAttributes } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { IconButton } from '@/ui/button/Button'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { Field } from '@/ui/field/Field'
import { SelectInput, Switch } from '@/ui/field/inputs'
import { useField } from '@/records/form/form-context'
import { format, textOf } from '@/ui/format'
import { WordField } from '@/records/source/WordField'
import classes from './imports.module.css'

/** The mapping of a source's fields and words, edited without code. */
export function Mapping({
  mapping,
  tried,
}: {
  mapping: ImportMapping
  /** Whether the source was run, dry or not; not known before the runs are there. */ tried: 'never' | 'running' | 'done' | undefined
}) {
  const { t } = useTranslation('imports')
  if (mapping.fields.length === 0 && tried === undefined) return <Skeleton height={160} />
  if (mapping.fields.length === 0)
    return (
      <EmptyState
        title={t('tab.mapping')}
        text={t(tried === 'done' ? 'mapping.nothingMet' : tried === 'running' ? 'mapping.underWay' : 'mapping.lead')}
      />
    )
  return (
    <>
      <Words words={mapping.words} />
      <section className={classes['part']} aria-labelledby="import-fields">
        <h2 id="import-fields">{t('mapping.fields')}</h2>
        <p className="small muted">{t('mapping.fieldsText')}</p>
        <div className={classes['sides']}>
          <TheirFields fields={mapping.fields} />
          <ul className={classes['rules']}>
            {mapping.targets.map(({ target, several }) => (
              <FieldRule key={target} target={target} several={several} fields={mapping.fields} />
            ))}
          </ul>
        </div>
      </section>
    </>
  )
}

/** The type of what is dragged: a field of the source, by its name. */
const dragged = 'application/x-jalon-source-field'

/** The fields of the source with an example of each, to be dragged onto ours. The lists of our fields do the same without a mouse. */
function TheirFields({ fields }: { fields: ImportMapping['fields'] }) {
  const { t } = useTranslation('imports')
  const placed = new Set(Object.values(useField<Record<string, string[]> | undefined>('fields').value ?? {}).flat())
  return (
    <div className={classes['theirs']} role="region" tabIndex={0} aria-labelledby="import-theirs">
      <h3 id="import-theirs" className="small muted">
        {t('mapping.theirs')}
      </h3>
      <ul>
        {fields.map(({ name, sample }) => (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- with a mouse only: the list of each field does the same
          <li
            key={name}
            draggable
            data-placed={placed.has(name) || undefined}
            onDragStart={({ dataTransfer }) => {
              dataTransfer.setData(dragged, name)
              dataTransfer.effectAllowed = 'copy'
            }}
          >
            <span>
              <strong>{name}</strong>
              {placed.has(name) && <span className="muted"> {t('mapping.placed')}</span>}
            </span>
            {sample !== '' && <span className={classes['sample']}>{sample}</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Our fields that only a point of interest has. */
const ofPois: ReadonlySet<ImportTarget> = new Set(['poi_category', 'street', 'postcode', 'city', 'phone', 'email', 'website', 'opening'])

interface FieldRuleProps {
  target: ImportTarget
  several: boolean
  fields: ImportMapping['fields']
}

/** One of our fields, and theirs that fill it. */
function FieldRule({ target, several, fields }: FieldRuleProps) {
  const { t } = useTranslation('imports')
  const path = `fields.${target}`
  const { value, set: fill, error } = useField<string[] | undefined>(path)
  const from = value ?? []
  const ours = t(`target.${target}`)
  const known = [...fields.map(({ name }) => name), ...from.filter((name) => fields.every((field) => field.name !== name))]
  const choices = (own: string | undefined) =>
    known.filter((name) => name === own || !from.includes(name)).map((name) => ({ value: name, label: name }))
  const sample = fields.find(({ name }) => name === from[0])?.sample ?? ''
  const example = sample === '' ? undefined : t('mapping.sample', { words: sample })
  const [isOver, setOver] = useState(false)
  const drop = (name: string) => {
    if (name !== '' && !from.includes(name)) fill(several ? [...from, name] : [name])
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- with a mouse only: the list in it does the same
    <li
      className={classes['rule']}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(dragged)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        drop(event.dataTransfer.getData(dragged))
      }}
    >
      <Field label={ours} error={error} path={path} hint={example ?? (ofPois.has(target) ? t('mapping.ofPois') : undefined)}>
        {(wiring) => (
          <SelectInput
            {...wiring}
            value={from[0] ?? null}
            onChange={(name) => fill(name === null ? [] : [name, ...from.slice(1)])}
            choices={choices(from[0])}
            empty={t('mapping.nothing')}
          />
        )}
      </Field>
      {from.slice(1).map((name) => (
        <span key={name} className={classes['more']}>
          + {name}
          <IconButton
            label={t('mapping.remove', { name })}
            look="ghost"
            size="small"
            icon={<IconX size={14} stroke={1.75} aria-hidden />}
            onClick={() => fill(from.filter((one) => one !== name))}
          />
        </span>
      ))}
      {several && from.length > 0 && (
        <SelectInput
          aria-label={format.labelled(t('mapping.add'), ours)}
          value={null}
          onChange={(name) => name !== null && fill([...from, name])}
          choices={choices(undefined)}
          empty={t('mapping.add')}
        />
      )}
    </li>
  )
}

/** Words of the source: those without a meaning come first. */
function Words({ words }: { words: readonly ImportWord[] }) {
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
          <li key={`${word.list} ${word.key}`} className={classes['rule']}>
            <WordField
              word={word}
              label={t('mapping.word', { word: textOf(word.label, word.key), list: t(`list_.${word.list as 'tag'}`) })}
              alike={t('mapping.alike')}
              leaveOut={t('mapping.leaveOut')}
              choose={t('mapping.choose')}
              // Only levels of the scale of parcours.
              keep={({ attributes }: { attributes: VocabularyAttributes }) => word.list !== 'level' || attributes.scale === 'general'}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
