import { useState } from 'react'
import type { SitColumn, SitMapping } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { Field } from '@/ui/field/Field'
import { SelectInput, Switch } from '@/ui/field/inputs'
import { useField } from '@/records/form/form-context'
import { textOf } from '@/ui/format'
import { WordField } from '@/records/source/WordField'
import classes from './sit.module.css'

/** The mapping of a source's words, and for Tourinsoft of its columns. */
export function Mapping({ mapping }: { mapping: SitMapping }) {
  const { t } = useTranslation('sit')
  const [all, setAll] = useState(false)
  if (mapping.words.length === 0 && mapping.columns.length === 0)
    return <EmptyState title={t('source.tab.mapping')} text={t('mapping.lead')} />
  const waiting = mapping.words.filter(({ state }) => state === 'waiting')
  return (
    <>
      <section className={classes['part']} aria-labelledby="sit-words">
        <h2 id="sit-words">
          {t('mapping.words')} {waiting.length > 0 && <Badge tone="warn">{t('mapping.waiting', { count: waiting.length })}</Badge>}
        </h2>
        <p className="small muted">{waiting.length === 0 ? t('mapping.allDone') : t('mapping.wordsText')}</p>
        {mapping.words.length > waiting.length && <Switch label={t('mapping.all')} checked={all} onChange={setAll} />}
        <ul className={classes['rules']}>
          {(all ? mapping.words : waiting).map((word) => (
            <li key={word.key}>
              <WordField
                word={{ ...word, list: 'poi_category' }}
                label={textOf(word.label, word.key)}
                alike={t('mapping.alike')}
                leaveOut={t('mapping.leaveOut')}
                choose={t('mapping.choose')}
              />
            </li>
          ))}
        </ul>
      </section>
      {mapping.columns.length > 0 && (
        <section className={classes['part']} aria-labelledby="sit-columns">
          <h2 id="sit-columns">{t('mapping.columns')}</h2>
          <p className="small muted">{t('mapping.columnsText')}</p>
          <ul className={classes['rules']}>
            {mapping.fields.map(({ to, from }) => (
              <li key={to}>
                <Column to={to} usual={from[0]} columns={mapping.columns} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** A field here, and the column of the source that fills it. */
function Column({ to, usual, columns }: { to: SitColumn; usual: string | undefined; columns: SitMapping['columns'] }) {
  const { t } = useTranslation('sit')
  const path = `columns.${to}`
  const { value, set, error } = useField<string | null | undefined>(path)
  const sample = columns.find(({ name }) => name === (value ?? usual))?.sample
  return (
    <Field
      label={t(`mapping.to.${to}`)}
      hint={sample === undefined ? undefined : t('mapping.sample', { words: sample })}
      error={error}
      path={path}
    >
      {(wiring) => (
        <SelectInput
          {...wiring}
          value={value ?? null}
          onChange={set}
          choices={columns.map(({ name }) => ({ value: name, label: name }))}
          empty={t('mapping.nothingColumn')}
        />
      )}
    </Field>
  )
}
