import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useQuery } from '@tanstack/react-query'
import { useContext, useEffect, useRef, useState } from 'react'
import type { CampaignStretch, SurveyCampaign } from '@/api/types'
import { useTranslation } from '@/i18n'
import { useField, useForm } from '@/records/form/form-context'
import { ReadOnlyContext } from '@/records/form/read-only'
import { RecordPicker } from '@/records/picker/RecordPicker'
import { useRecordNames } from '@/records/picker/useRecordChoices'
import type { FieldOf } from '@/records/resource/define'
import { IconButton } from '@/ui/button/Button'
import { Field, FieldError } from '@/ui/field/Field'
import { SelectInput } from '@/ui/field/inputs'
import { NumberBox } from '@/ui/field/NumberBox'
import { textOf } from '@/ui/format'
import classes from './campaigns.module.css'
import { whole } from './prefill'
import { peopleQuery } from './queries'

const parcours = { base: '/api/v1/parcours', queryKey: ['parcours'], query: { owner: 'mine' } } as const

/** What is to be surveyed: parcours, or stretches of them, each for a person or for any of the campaign. */
export function StretchesField({ record }: { record: SurveyCampaign | null; f: FieldOf }) {
  const { t } = useTranslation('campaigns')
  const { value, set, error } = useField<CampaignStretch[]>('stretches')
  const store = useForm()
  const people = useField<number[]>('user_ids').value
  const readOnly = useContext(ReadOnlyContext)
  const [added, setAdded] = useState(0)
  const picker = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (added > 0) picker.current?.querySelector<HTMLElement>('[role="combobox"]')?.focus({ preventScroll: true })
  }, [added])
  const known = new Map(record?.parcours.map(({ id, title }) => [id, textOf(title)]))
  const unnamed = [...new Set(value.map(({ parcours_id: id }) => id))].filter((id) => !known.has(id))
  const nameOf = useRecordNames(parcours, unnamed)
  const everybody = useQuery(peopleQuery).data ?? []
  const choices = everybody.filter(({ id }) => people.includes(id)).map(({ id, name }) => ({ value: String(id), label: name }))
  const change = (at: number, part: Partial<CampaignStretch>) => set(value.map((one, i) => (i === at ? { ...one, ...part } : one)))
  return (
    <div className={classes['field']} data-field="stretches">
      {value.length === 0 && <p className="muted">{t('noStretch')}</p>}
      {value.length > 0 && (
        <ol className={classes['stretches']}>
          {value.map((one, at) => {
            const name = known.get(one.parcours_id) ?? nameOf(one.parcours_id) ?? t('unknown', { id: one.parcours_id })
            return (
              <li key={`${at} ${one.parcours_id}`}>
                <StretchRow
                  at={at}
                  name={name}
                  stretch={one}
                  people={choices}
                  readOnly={readOnly}
                  onChange={(part) => change(at, part)}
                  onRemove={() => {
                    // Kept by place in the list, which changes.
                    store.forgetUnread(['stretches'])
                    set(value.filter((_, i) => i !== at))
                  }}
                />
              </li>
            )
          })}
        </ol>
      )}
      {!readOnly && (
        <div ref={picker}>
          <RecordPicker
            // Empty again after each choice, with the focus.
            key={added}
            label={t('add')}
            {...parcours}
            value={null}
            onChange={(id) => {
              if (id === null) return
              set([...value, whole(id)])
              setAdded(added + 1)
            }}
          />
        </div>
      )}
      {!readOnly && value.length > 0 && <p className="small muted">{t('wholeHint')}</p>}
      <FieldError error={error} />
    </div>
  )
}

interface RowProps {
  at: number
  name: string
  stretch: CampaignStretch
  people: readonly { value: string; label: string }[]
  readOnly: boolean
  onChange: (part: Partial<CampaignStretch>) => void
  onRemove: () => void
}

const kmOf = (metres: number | null | undefined) => (metres == null ? null : metres / 1000)
const metresOf = (km: number | null) => (km === null ? null : Math.round(km * 1000))

function StretchRow({ at, name, stretch, people, readOnly, onChange, onRemove }: RowProps) {
  const { t } = useTranslation('campaigns')
  const { error } = useField<unknown>(`stretches.${at}`)
  const from = useField<unknown>(`stretches.${at}.from_m`)
  const to = useField<unknown>(`stretches.${at}.to_m`)
  const title = t('row', { place: at + 1, name })
  const off = readOnly ? { disabled: true } : {}
  return (
    <fieldset className={classes['stretch']} {...off}>
      <legend>{title}</legend>
      <NumberBox
        label={t('fromKm')}
        path={`stretches.${at}.from_m`}
        value={kmOf(stretch.from_m)}
        unread={from.unread ?? null}
        onUnreadable={from.setUnread}
        onChange={(km) => onChange({ from_m: metresOf(km) })}
        decimals={2}
        unit="km"
      />
      <NumberBox
        label={t('toKm')}
        path={`stretches.${at}.to_m`}
        value={kmOf(stretch.to_m)}
        unread={to.unread ?? null}
        onUnreadable={to.setUnread}
        onChange={(km) => onChange({ to_m: metresOf(km) })}
        decimals={2}
        unit="km"
      />
      <Field label={t('who')}>
        {(wiring) => (
          <SelectInput
            {...wiring}
            value={stretch.user_id == null ? null : String(stretch.user_id)}
            onChange={(id) => onChange({ user_id: id === null ? null : Number(id) })}
            choices={people}
            empty={t('anybody')}
          />
        )}
      </Field>
      {!readOnly && (
        <IconButton look="ghost" label={t('remove', { name: title })} icon={<IconTrash size={18} stroke={1.75} />} onClick={onRemove} />
      )}
      <FieldError error={error} />
    </fieldset>
  )
}
