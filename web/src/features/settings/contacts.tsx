import { api, unwrap } from '@/api/client'
import type { Contact } from '@/api/types'
import { TextField } from '@/records/form/fields'
import { RecordField, RecordsField } from '@/records/form/record-fields'
import { nameColumn, textColumn, updatedColumn, useBasicSorts } from '@/records/resource/columns'
import { labelOf, type FieldOf, type ResourceDef } from '@/records/resource/define'
import { pagesOf } from '@/records/resource/pages'
import classes from '@/records/resource/resource.module.css'

const def: ResourceDef<Contact> = {
  kind: 'contact',
  queryKey: ['contact'],
  base: '/api/v1/contacts',
  path: '/settings/contacts',
  placeOf: (id) => `/settings/contacts/${id}`,
  area: 'people',
  group: 'settings',
  may: 'settings.manage',
  abilities: { history: true, uses: true },
  titleOf: ({ first_name, last_name, email }) => `${first_name} ${last_name}`.trim() || email,
  list: {
    config: { filterKeys: ['structure'], defaultSort: 'title' },
    useColumns: () => [
      nameColumn(def, { facts: (row) => row.function }),
      textColumn('people', 'email', '26%'),
      textColumn('people', 'phone', '16%'),
      { key: 'structure', header: labelOf('people', 'structure_id'), width: '20%', render: ({ structure }) => structure?.name ?? '–' },
      updatedColumn(),
    ],
    useSorts: () => useBasicSorts(),
    table: 'users.manage',
  },
  form: {
    plain: true,
    toValues: (record) => ({
      first_name: record?.first_name ?? '',
      last_name: record?.last_name ?? '',
      function: record?.function ?? null,
      email: record?.email ?? '',
      phone: record?.phone ?? null,
      structure_id: record?.structure_id ?? null,
      white_label_ids: record?.white_label_ids ?? [],
    }),
    // The server too gives a new contact the user's structure.
    prefill: async () => ({ structure_id: (await unwrap(api.GET('/api/v1/session'))).structure.id }),
    sections: [
      { key: 'identity', names: ['first_name', 'last_name', 'function', 'email', 'phone'], Fields: Identity },
      { key: 'rights', names: ['structure_id', 'white_label_ids'], Fields: Attachment },
    ],
  },
}

function Identity({ f }: { f: FieldOf }) {
  return (
    <>
      <div className={classes['two']}>
        <TextField {...f('first_name')} />
        <TextField {...f('last_name')} required />
      </div>
      <TextField {...f('function')} />
      <div className={classes['two']}>
        <TextField {...f('email')} type="email" inputMode="email" required />
        <TextField {...f('phone')} type="tel" inputMode="tel" />
      </div>
    </>
  )
}

function Attachment({ f }: { f: FieldOf }) {
  return (
    <>
      <RecordField {...f('structure_id')} resource="structure" required />
      <RecordsField {...f('white_label_ids')} resource="white_label" />
    </>
  )
}

export const contacts = pagesOf(def)
