import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useContext } from 'react'
import type { LineCondition, LineMode, TransportLine } from '@/api/types'
import { useCan } from '@/api/session'
import { textFor, useTranslation } from '@/i18n'
import { Button, IconButton } from '@/ui/button/Button'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { Field } from '@/ui/field/Field'
import { TextInput } from '@/ui/field/inputs'
import { CheckField, SelectField } from '@/records/form/choice-fields'
import { ColorField } from '@/records/form/ColorField'
import { TextField, TranslatedField } from '@/records/form/fields'
import { useField } from '@/records/form/form-context'
import { ReadOnlyContext } from '@/records/form/read-only'
import { nameColumn, textColumn, updatedColumn, useBasicSorts } from '@/records/resource/columns'
import { labelOf, type FieldOf, type ResourceDef } from '@/records/resource/define'
import { pagesOf } from '@/records/resource/pages'
import { PickOne } from '@/records/picker/lazy-pickers'
import classes from '@/records/resource/resource.module.css'
import { LineTag } from './LineTag'

const modes = [
  'rail',
  'tram',
  'metro',
  'bus',
  'coach',
  'ferry',
  'cable',
  'gondola',
  'funicular',
  'other',
] as const satisfies readonly LineMode[]
const bikes = ['yes', 'no', 'conditions', 'unknown'] as const

const def: ResourceDef<TransportLine> = {
  kind: 'transport_line',
  queryKey: ['transport_line'],
  base: '/api/v1/transport-lines',
  path: '/lignes',
  placeOf: (id) => `/lignes/${id}/edit`,
  area: 'lines',
  group: 'contents',
  may: 'content.write',
  abilities: { history: true, uses: true },
  titleOf: ({ long_name: long, short_name: short }) => long || short,
  list: {
    config: { filterKeys: ['mode', 'operator', 'bike_carriage'], defaultSort: 'title' },
    useColumns() {
      const { t } = useTranslation('lines')
      return [
        nameColumn(def, { name: 'long_name', picture: (line) => <LineTag line={line} /> }),
        { key: 'mode', header: labelOf('lines', 'mode'), width: '14%', render: ({ mode }) => t(`mode.${mode}`) },
        textColumn('lines', 'operator', '20%'),
        {
          key: 'bike_carriage',
          header: labelOf('lines', 'bike_carriage'),
          width: '16%',
          render: ({ bike_carriage: bike }) => t(`bike.${bike}`),
        },
        {
          key: 'bookable',
          header: labelOf('lines', 'bookable'),
          width: '110px',
          phone: 'hidden',
          render: ({ bookable }) => t(bookable ? 'common:yes' : 'common:no'),
        },
        updatedColumn(),
      ]
    },
    useFilters() {
      const { t } = useTranslation('lines')
      return [
        {
          key: 'mode',
          label: labelOf('lines', 'mode'),
          kind: 'many',
          choices: modes.map((mode) => ({ value: mode, label: t(`mode.${mode}`) })),
        },
        {
          key: 'bike_carriage',
          label: labelOf('lines', 'bike_carriage'),
          kind: 'many',
          choices: bikes.map((bike) => ({ value: bike, label: t(`bike.${bike}`) })),
        },
      ]
    },
    useSorts: () => useBasicSorts(),
    Actions: ToFeeds,
    table: 'content.write',
  },
  form: {
    toValues: (record) => ({
      long_name: record?.long_name ?? '',
      short_name: record?.short_name ?? '',
      operator: record?.operator ?? null,
      mode: record?.mode ?? 'bus',
      color: record?.color ?? null,
      text_color: record?.text_color ?? null,
      bike_carriage: record?.bike_carriage ?? 'unknown',
      bookable: record?.bookable ?? false,
      booking_url: record?.booking_url ?? null,
      booking_phone: record?.booking_phone ?? null,
      booking_note: record?.booking_note ?? {},
      website: record?.website ?? null,
      conditions: record?.conditions ?? [],
    }),
    sections: [
      { key: 'identity', names: ['long_name', 'short_name', 'operator', 'mode', 'color', 'text_color', 'website'], Fields: Identity },
      { key: 'bike', names: ['bike_carriage', 'bookable', 'booking_url', 'booking_phone', 'booking_note', 'conditions'], Fields: Bike },
    ],
    valueWords: (path, value) => {
      if (path === 'mode' && typeof value === 'string') return textFor(`lines:mode.${value}`)
      return path === 'bike_carriage' && typeof value === 'string' ? textFor(`lines:bike.${value}`) : undefined
    },
    Picture: ({ record }) => <LineTag line={record} />,
  },
}

/** A link to the transport feeds, from which lines can be imported. */
function ToFeeds() {
  const { t } = useTranslation('lines')
  const may = useCan('content.import')
  return may && <ButtonLink to="/lignes/flux">{t('feeds')}</ButtonLink>
}

function Identity({ f }: { f: FieldOf }) {
  const { t } = useTranslation('lines')
  return (
    <>
      <TextField {...f('long_name')} required hint={t('longHint')} />
      <div className={classes['two']}>
        <TextField {...f('short_name')} />
        <SelectField {...f('mode')} required choices={modes.map((mode) => ({ value: mode, label: t(`mode.${mode}`) }))} />
        <TextField {...f('operator')} />
      </div>
      <div className={classes['two']}>
        <ColorField {...f('color')} />
        <ColorField {...f('text_color')} />
      </div>
      <TextField {...f('website')} type="url" inputMode="url" placeholder="https://" />
    </>
  )
}

function Bike({ f }: { f: FieldOf }) {
  const { t } = useTranslation('lines')
  return (
    <>
      <SelectField {...f('bike_carriage')} required choices={bikes.map((bike) => ({ value: bike, label: t(`bike.${bike}`) }))} />
      <CheckField {...f('bookable')} />
      <TextField {...f('booking_url')} type="url" inputMode="url" placeholder="https://" />
      <TextField {...f('booking_phone')} />
      <TranslatedField {...f('booking_note')} kind="lines" />
      <Conditions />
    </>
  )
}

/** Conditions of a line for one white-label or one region; without either, for all. */
function Conditions() {
  const { t } = useTranslation('lines')
  const readOnly = useContext(ReadOnlyContext)
  const { value, set } = useField<LineCondition[]>('conditions')
  const change = (index: number, part: Partial<LineCondition>) =>
    set(value.map((condition, i) => (i === index ? { ...condition, ...part } : condition)))
  return (
    <div className={classes['fields']} data-field="conditions">
      <h3>{labelOf('lines', 'conditions')}</h3>
      {value.length === 0 && <p className="small muted">{t('noCondition')}</p>}
      {value.map((condition, index) => (
        // A condition has no name: it is identified by its place in the list.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className={classes['fields']}>
          {!readOnly && (
            <div className={classes['two']}>
              <Field label={t('conditionFor')}>
                {(wiring) => (
                  <PickOne
                    wiring={wiring}
                    base="/api/v1/white-labels"
                    queryKey={['white_label']}
                    value={condition.white_label_id}
                    onChange={(id) => change(index, { white_label_id: id })}
                  />
                )}
              </Field>
              <Field label={t('conditionRegion')}>
                {(wiring) => (
                  <TextInput
                    {...wiring}
                    value={condition.region ?? ''}
                    onChange={(region) => change(index, { region: region === '' ? null : region })}
                  />
                )}
              </Field>
            </div>
          )}
          <TranslatedField name={`conditions.${index}.text`} label={t('conditionText', { place: index + 1 })} kind="lines" required />
          {!readOnly && (
            <span>
              <IconButton
                size="small"
                look="ghost"
                label={t('conditionRemove', { place: index + 1 })}
                icon={<IconTrash size={16} stroke={1.75} aria-hidden />}
                onClick={() => set(value.filter((_, i) => i !== index))}
              />
            </span>
          )}
        </div>
      ))}
      {!readOnly && (
        <span>
          <Button
            size="small"
            icon={<IconPlus size={16} stroke={1.75} aria-hidden />}
            onClick={() => set([...value, { white_label_id: null, region: null, text: {} }])}
          >
            {t('conditionAdd')}
          </Button>
        </span>
      )}
    </div>
  )
}

export const lines = pagesOf(def)
