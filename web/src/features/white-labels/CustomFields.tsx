import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useQuery } from '@tanstack/react-query'
import { useContext, useRef, useState } from 'react'
import type { CustomField, CustomFieldUse, CustomType, WhiteLabel } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Button, IconButton } from '@/ui/button/Button'
import { ConfirmDialog } from '@/ui/dialog/ConfirmDialog'
import { Field } from '@/ui/field/Field'
import { Checkbox, SelectInput, TextInput } from '@/ui/field/inputs'
import { isFocusLost } from '@/ui/focus'
import { TranslatedField } from '@/records/form/fields'
import { focusField } from '@/records/form/focus'
import { useField } from '@/records/form/form-context'
import { LinesField } from '@/records/form/LinesField'
import { ReadOnlyContext } from '@/records/form/read-only'
import { format, textOf } from '@/ui/format'
import { customUsesQuery, hiddenUses, isSameField, recordsOf } from './custom-uses'
import classes from './white-labels.module.css'

const types = ['text', 'long_text', 'number', 'bool', 'date', 'url', 'choice'] as const satisfies readonly CustomType[]

/** A change that hides stored values, which waits for an answer. */
interface Question {
  change: 'remove' | 'key' | 'type' | 'on' | 'options'
  field: CustomField
  /** The records that fill in the field, where their number is known. */
  records: number | undefined
  /** The options that go. */
  options?: readonly string[]
  apply: () => void
}

/** The fields a white-label adds to its parcours and points: each has a type, and is edited, filtered and exported as such. */
export function CustomFields({ record }: { record: WhiteLabel | null }) {
  const { t } = useTranslation('whiteLabels')
  const readOnly = useContext(ReadOnlyContext)
  const { value, set } = useField<CustomField[]>('custom_fields')
  const saved = record?.custom_fields ?? []
  const uses = useQuery({ ...customUsesQuery(record?.id ?? 0), enabled: record !== null && !readOnly }).data
  const [question, setQuestion] = useState<Question | null>(null)
  const adding = useRef<HTMLButtonElement>(null)
  if (readOnly) return <p>{value.map(({ label, key }) => textOf(label, key)).join(', ') || '–'}</p>
  const hidden = hiddenUses(uses, value)
  const savedOf = (named: Pick<CustomField, 'key' | 'on'>) => saved.find((one) => isSameField(one, named))
  /** Applies a change, after an answer where it hides values. Values of a field that is not saved are hidden already. */
  const ask = ({ field, apply, ...rest }: Omit<Question, 'records'>) => {
    const records = recordsOf(uses, field)
    if (records === 0 || savedOf(field) === undefined) apply()
    else setQuestion({ ...rest, field, records, apply })
  }
  const add = (field: Partial<CustomField>) => {
    set([
      ...value,
      {
        key: freeKey([...value, ...hidden], t('custom.keyStem')),
        type: 'text',
        label: {},
        on: 'parcours',
        options: [],
        required: false,
        ...field,
      },
    ])
    // The new field pushes its button down: the focus goes to what is to be filled in.
    focusField(`custom_fields.${value.length}.label`)
  }
  const remove = (index: number) => {
    set(value.filter((_, i) => i !== index))
    // The button that was pressed, or that opened the question, goes away with the last field.
    requestAnimationFrame(() => {
      if (isFocusLost()) adding.current?.focus()
    })
  }
  return (
    <div className={classes['custom']} data-field="custom_fields">
      <p className="small muted">{t('custom.hint')}</p>
      {value.map((field, index) => (
        <CustomFieldForm
          // A field has no stable name while its key is being typed: its place identifies it.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          field={field}
          index={index}
          saved={savedOf(field)}
          records={recordsOf(uses, field) ?? 0}
          onChange={(part) => set(value.map((one, i) => (i === index ? { ...one, ...part } : one)))}
          onRemove={() => remove(index)}
          ask={ask}
        />
      ))}
      <Button ref={adding} size="small" icon={<IconPlus size={16} stroke={1.75} aria-hidden />} onClick={() => add({})}>
        {t('custom.add')}
      </Button>
      {hidden.length > 0 && <HiddenValues hidden={hidden} onRestore={(use) => add(savedOf(use) ?? { key: use.key, on: use.on })} />}
      {question !== null && <Ask question={question} onClose={() => setQuestion(null)} />}
    </div>
  )
}

interface FormProps {
  field: CustomField
  index: number
  /** As records fill it in: an option that is being typed is no option yet. */
  saved: CustomField | undefined
  records: number
  onChange: (part: Partial<CustomField>) => void
  onRemove: () => void
  ask: (question: Omit<Question, 'records'>) => void
}

function CustomFieldForm({ field, index, saved, records, onChange, onRemove, ask }: FormProps) {
  const { t } = useTranslation('whiteLabels')
  const name = textOf(field.label, field.key)
  const at = `custom_fields.${index}`
  const change = (kind: 'key' | 'type' | 'on', part: Partial<CustomField>) => ask({ change: kind, field, apply: () => onChange(part) })
  const changeType = (type: CustomType) => {
    // The saved type hides nothing: it shows again what another one hides.
    if (type === saved?.type) onChange({ type })
    else change('type', { type })
  }
  const writeOptions = (lines: readonly string[], apply: () => void) => {
    const options = (saved?.options ?? []).filter((option) => field.options.includes(option) && !lines.includes(option))
    if (options.length > 0) ask({ change: 'options', field, options, apply })
    else apply()
  }
  return (
    <fieldset className={classes['customField']}>
      <legend>{name}</legend>
      <TranslatedField name={`${at}.label`} label={t('custom.label')} required />
      <div className={classes['customParts']}>
        <Field label={t('custom.key')} path={`${at}.key`}>
          {(wiring) => (
            <TextInput
              {...wiring}
              value={field.key}
              onChange={(key) => change('key', { key: key.toLowerCase().replace(/[^a-z0-9_]/g, '_') })}
              maxLength={60}
            />
          )}
        </Field>
        <Field label={t('custom.type')}>
          {(wiring) => (
            <SelectInput
              {...wiring}
              value={field.type}
              onChange={(type) => changeType(types.find((one) => one === type) ?? 'text')}
              choices={types.map((type) => ({ value: type, label: t(`custom.types.${type}`) }))}
            />
          )}
        </Field>
        <Field label={t('custom.on')}>
          {(wiring) => (
            <SelectInput
              {...wiring}
              value={field.on}
              onChange={(on) => change('on', { on: on === 'poi' ? 'poi' : 'parcours' })}
              choices={(['parcours', 'poi'] as const).map((on) => ({ value: on, label: t(`custom.ons.${on}`) }))}
            />
          )}
        </Field>
      </div>
      {field.type === 'choice' && (
        <LinesField name={`${at}.options`} label={t('custom.options')} hint={t('custom.optionsHint')} rows={4} onWrite={writeOptions} />
      )}
      {records > 0 && <p className="small muted">{t('custom.used', { count: records })}</p>}
      <span className="row">
        <Checkbox checked={field.required} onChange={(required) => onChange({ required })} label={t('custom.required')} />
        <span className="end">
          <IconButton
            size="small"
            look="ghost"
            label={t('custom.remove', { name })}
            icon={<IconTrash size={16} stroke={1.75} aria-hidden />}
            onClick={() => ask({ change: 'remove', field, apply: onRemove })}
          />
        </span>
      </span>
    </fieldset>
  )
}

/** The keys whose values are stored and not shown, each with a way to show them again. */
function HiddenValues({ hidden, onRestore }: { hidden: readonly CustomFieldUse[]; onRestore: (use: CustomFieldUse) => void }) {
  const { t } = useTranslation('whiteLabels')
  return (
    <div className={classes['customHidden']}>
      <h3>{t('custom.hidden.title')}</h3>
      <p className="small muted">{t('custom.hidden.hint')}</p>
      <ul>
        {hidden.map((use) => (
          <li key={`${use.on} ${use.key}`}>
            <code>{use.key}</code> ({t(`custom.ons.${use.on}`)}){format.colon()}
            {t('custom.used', { count: use.records })}{' '}
            <Button size="small" look="soft" aria-label={t('custom.hidden.restoreOf', { key: use.key })} onClick={() => onRestore(use)}>
              {t('custom.hidden.restore')}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Says what a change hides. */
function Ask({ question, onClose }: { question: Question; onClose: () => void }) {
  const { t } = useTranslation('whiteLabels')
  const { change, field, records, options = [], apply } = question
  return (
    <ConfirmDialog
      opened
      danger
      onClose={onClose}
      title={t(`custom.ask.${change}`, { name: textOf(field.label, field.key) })}
      confirm={t(`custom.ask.${change}Confirm`)}
      onConfirm={() => {
        apply()
        onClose()
      }}
    >
      <p>{records === undefined ? t('custom.ask.unknown') : t('custom.used', { count: records })}</p>
      <p>
        {change === 'options'
          ? t('custom.ask.optionsEffect', { options: format.list(options.map((words) => t('common:quoted', { words }))) })
          : t(change === 'type' ? 'custom.ask.typeEffect' : 'custom.ask.effect')}
      </p>
      <p className="small muted">{t(change === 'options' ? 'custom.ask.optionsBack' : 'custom.ask.back', { key: field.key })}</p>
    </ConfirmDialog>
  )
}

/** `champ_3`: the first that no field has. */
function freeKey(fields: readonly { key: string }[], stem: string): string {
  for (let n = fields.length + 1; ; n++) if (!fields.some(({ key }) => key === `${stem}_${n}`)) return `${stem}_${n}`
}
