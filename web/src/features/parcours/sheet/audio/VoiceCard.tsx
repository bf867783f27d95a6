import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useQuery } from '@tanstack/react-query'
import { useContext, useId } from 'react'
import { audioEngines, type AudioEngine, type AudioWalkView, type LexiconEntry } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Button, IconButton } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { Field, ReadOnly } from '@/ui/field/Field'
import { TextInput } from '@/ui/field/inputs'
import { SelectField } from '@/records/form/choice-fields'
import { NumberField, TextField } from '@/records/form/fields'
import { useField } from '@/records/form/form-context'
import { ReadOnlyContext } from '@/records/form/read-only'
import sheet from '../sheet.module.css'
import classes from './audio.module.css'
import { voicesQuery } from './queries'

/** The voice, its speed, and the pronunciation of local names. */
export function VoiceCard({ view }: { view: AudioWalkView }) {
  const { t } = useTranslation('audioWalk')
  const engines = useQuery(voicesQuery(view.language)).data
  const { value: engine } = useField<AudioEngine>('engine')
  const chosen = engines?.find((one) => one.engine === engine)
  const nameOf = (one: AudioEngine) =>
    engines?.find(({ engine: known }) => known === one)?.is_there === false
      ? t('voice.missing', { engine: t(`engine.${one}`) })
      : t(`engine.${one}`)
  return (
    <Card title={t('voice.title')}>
      <div className={sheet['fields']}>
        {chosen?.is_there === false && <Banner tone="warn">{t(`voice.howTo.${engine}`)}</Banner>}
        <div className={sheet['threeColumns']}>
          <SelectField name="engine" label={t('voice.engine')} choices={audioEngines.map((value) => ({ value, label: nameOf(value) }))} />
          <VoiceField proposed={chosen?.voices ?? []} />
          <NumberField name="words_a_minute" label={t('voice.rate')} hint={t('voice.rateHint')} unit={t('voice.rateUnit')} />
        </div>
        <Lexicon />
      </div>
    </Card>
  )
}

/** A voice by its name: one that is proposed, or any other the engine knows. */
function VoiceField({ proposed }: { proposed: readonly string[] }) {
  const { t } = useTranslation('audioWalk')
  const { value, set, error } = useField<string>('voice')
  const list = useId()
  if (useContext(ReadOnlyContext)) return <ReadOnly label={t('voice.voice')}>{value}</ReadOnly>
  return (
    <Field label={t('voice.voice')} hint={t('voice.voiceHint')} error={error} path="voice">
      {(wiring) => (
        <>
          <TextInput {...wiring} value={value} onChange={set} list={list} placeholder={proposed[0] ?? ''} autoComplete="off" />
          <datalist id={list}>
            {proposed.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}

/** The pronunciation of local names. */
function Lexicon() {
  const { t } = useTranslation('audioWalk')
  const { value, set } = useField<LexiconEntry[]>('lexicon')
  const readOnly = useContext(ReadOnlyContext)
  return (
    <div data-field="lexicon">
      <h3 className={classes['subtitle']}>{t('lexicon.title')}</h3>
      <p className="small muted">{t('lexicon.hint')}</p>
      <ol className={classes['lexicon']}>
        {value.map((_, index) => (
          // Entries have no name: their place identifies them.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <TextField name={`lexicon.${index}.word`} label={t('lexicon.word')} />
            <TextField name={`lexicon.${index}.say`} label={t('lexicon.say')} />
            {!readOnly && (
              <IconButton
                size="small"
                look="ghost"
                label={t('lexicon.remove', { place: index + 1 })}
                icon={<IconTrash size={16} stroke={1.75} aria-hidden />}
                onClick={() => set(value.toSpliced(index, 1))}
              />
            )}
          </li>
        ))}
      </ol>
      {!readOnly && (
        <Button size="small" icon={<IconPlus size={16} stroke={1.75} aria-hidden />} onClick={() => set([...value, { word: '', say: '' }])}>
          {t('lexicon.add')}
        </Button>
      )}
    </div>
  )
}
