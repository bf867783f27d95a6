import { useContext } from 'react'
import type { Structure, VocabularyAttributes, VocabularyItem } from '@/api/types'
import { useTranslation } from '@/i18n'
import { AddressFields, addressValue } from '@/records/form/AddressFields'
import { TextField } from '@/records/form/fields'
import { useField } from '@/records/form/form-context'
import { PointField } from '@/records/form/PointField'
import { ReadOnlyContext } from '@/records/form/read-only'
import { RecordField } from '@/records/form/record-fields'
import { useVocabulary } from '@/records/form/vocabulary'
import { VocabularyField } from '@/records/form/VocabularyField'
import { labelOf, type FieldOf, type ResourceDef } from '@/records/resource/define'
import { pagesOf } from '@/records/resource/pages'
import { nameColumn, textColumn, updatedColumn, useBasicSorts } from '@/records/resource/columns'
import classes from '@/records/resource/resource.module.css'
import { textOf } from '@/ui/format'

const def: ResourceDef<Structure> = {
  kind: 'structure',
  queryKey: ['structure'],
  base: '/api/v1/structures',
  path: '/settings/structures',
  placeOf: (id) => `/settings/structures/${id}`,
  area: 'people',
  group: 'settings',
  may: 'settings.manage',
  mayMake: 'reference.manage',
  abilities: { history: true, uses: true },
  titleOf: ({ name }) => name,
  list: {
    config: { filterKeys: ['kind'], defaultSort: 'title' },
    useColumns() {
      const types = useVocabulary('structure_type')
      return [
        nameColumn(def),
        { key: 'kind_id', header: labelOf('people', 'kind_id'), width: '26%', render: ({ kind_id }) => types.nameOf(kind_id) ?? '–' },
        { key: 'city', header: labelOf('people', 'city'), width: '20%', render: ({ address }) => address?.city ?? '–' },
        textColumn('people', 'email', '22%'),
        updatedColumn(),
      ]
    },
    useFilters() {
      const types = useVocabulary('structure_type')
      return [{ key: 'kind', label: labelOf('people', 'kind_id'), kind: 'many', choices: types.choices }]
    },
    useSorts: () => useBasicSorts(),
  },
  form: {
    plain: true,
    toValues: (record) => ({
      name: record?.name ?? '',
      kind_id: record?.kind_id ?? null,
      registration: record?.registration ?? null,
      guarantor: record?.guarantor ?? null,
      insurer: record?.insurer ?? null,
      mediator: record?.mediator ?? null,
      address: addressValue(record?.address),
      location: record?.location ?? null,
      website: record?.website ?? null,
      phone: record?.phone ?? null,
      email: record?.email ?? null,
      contact_id: record?.contact_id ?? null,
    }),
    sections: [
      { key: 'identity', names: ['name', 'kind_id'], Fields: Identity },
      { key: 'reach', names: ['address', 'location', 'website', 'phone', 'email', 'contact_id'], Fields: Reach },
      { key: 'legal', names: ['registration', 'guarantor', 'insurer', 'mediator'], Fields: Legal },
    ],
  },
}

function Identity({ record, f }: { record: Structure | null; f: FieldOf }) {
  // A type of the platform's own is not offered; a structure that has it keeps it.
  const isOffered = ({ id, attributes }: VocabularyItem) => {
    const { internal = false }: VocabularyAttributes = attributes
    return !internal || id === record?.kind_id
  }
  return (
    <>
      <TextField {...f('name')} required max={200} />
      <VocabularyField {...f('kind_id')} kind="structure_type" required keep={isOffered} />
    </>
  )
}

function Reach({ f }: { f: FieldOf }) {
  const { t } = useTranslation('people')
  return (
    <>
      <AddressFields f={f} within="address" />
      <PointField {...f('location')} hint={t('locationHint')} />
      <div className={classes['two']}>
        <TextField {...f('phone')} />
        <TextField {...f('email')} type="email" inputMode="email" />
      </div>
      <TextField {...f('website')} type="url" inputMode="url" placeholder="https://" />
      <RecordField {...f('contact_id')} resource="contact" />
    </>
  )
}

/** The lines that a travel agency prints on its roadbooks. What the registration is called comes from the type of the structure. */
function Legal({ f }: { f: FieldOf }) {
  const { t } = useTranslation('people')
  const { items } = useVocabulary('structure_type')
  const readOnly = useContext(ReadOnlyContext)
  const kind = useField<number | null>('kind_id').value
  const type = items.find(({ id }) => id === kind)
  const { agency = false, registration }: VocabularyAttributes = type?.attributes ?? {}
  return (
    <>
      {type !== undefined && !agency && !readOnly && (
        <p className="small muted">{t('notAnAgency', { type: textOf(type.label, type.code) })}</p>
      )}
      <TextField {...f('registration')} max={100} hint={registration === undefined ? undefined : t('registrationAs', { registration })} />
      <TextField {...f('guarantor')} max={200} />
      <TextField {...f('insurer')} max={200} />
      <TextField {...f('mediator')} max={200} />
    </>
  )
}

export const structures = pagesOf(def)
