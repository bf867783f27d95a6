import { useQuery, type QueryClient } from '@tanstack/react-query'
import type { VocabularyItem, VocabularyKind } from '@/api/types'
import type { CatalogueRecord } from '@/api/resource'
import { ColorField } from '@/records/form/ColorField'
import { TextField, TranslatedField } from '@/records/form/fields'
import type { Values } from '@/records/form/paths'
import { vocabularyQuery, vocabularyUsesQuery } from '@/records/form/vocabulary'
import { VocabularyField } from '@/records/form/VocabularyField'
import { textOf } from '@/ui/format'
import type { FieldOf, ResourceDef } from '@/records/resource/define'
import { pagesOf } from '@/records/resource/pages'
import classes from '@/records/resource/resource.module.css'
import { AttributeFields, attributeWords } from './AttributeFields'
import { attributesToSend, shownAttributes } from './attributes'
import { branchOf } from './branch'
import { IconField } from './IconField'
import { lists } from './kinds'

type Item = VocabularyItem & CatalogueRecord

/** One reference list: its page is a tree, its items are records like any other. */
function vocabulary(kind: VocabularyKind) {
  const { path, tree } = lists[kind]
  const def: ResourceDef<Item> = {
    kind,
    queryKey: ['vocabulary', kind],
    base: `/api/v1/vocabularies/${kind}`,
    path,
    placeOf: (id) => `${path}/${id}`,
    area: 'settings',
    group: 'settings',
    may: 'reference.manage',
    abilities: { history: true, uses: true },
    titleOf: ({ label, code }) => textOf(label, code),
    list: { config: { filterKeys: [], defaultSort: 'order' }, useColumns: () => [] },
    form: {
      toValues: (record): Values => {
        const attributes = shownAttributes(kind, record?.attributes ?? {})
        return {
          label: record?.label ?? {},
          description: record?.description ?? {},
          parent_id: record?.parent_id ?? null,
          icon: record?.icon ?? null,
          color: record?.color ?? null,
          code: record?.code ?? '',
          ...(attributes === undefined ? {} : { attributes }),
        }
      },
      // Without a code the server makes one of the label.
      toBody: ({ code, ...patch }, record) => ({
        ...patch,
        ...(patch['attributes'] === undefined ? {} : { attributes: attributesToSend(patch['attributes'] as Values, record === null) }),
        ...(typeof code === 'string' && code !== '' && record === null ? { code } : {}),
      }),
      pointsTo: { parent: kind },
      valueWords: attributeWords,
      sections: [
        {
          key: 'words',
          names: ['label', 'description'],
          Fields: ({ f }) => (
            <>
              <TranslatedField {...f('label')} required max={200} />
              <TranslatedField {...f('description')} kind="lines" max={2000} />
            </>
          ),
        },
        ...(shownAttributes(kind, {}) === undefined
          ? []
          : [{ key: 'attributes', names: ['attributes'], Fields: ({ f }: { f: FieldOf }) => <AttributeFields kind={kind} f={f} /> }]),
        {
          key: 'place',
          names: ['parent_id', 'icon', 'color', 'code'],
          Fields: ({ record, f }) => (
            <>
              {tree && <Parent kind={kind} record={record} f={f} />}
              <div className={classes['two']}>
                <ColorField {...f('color')} />
                <IconField {...f('icon')} />
              </div>
              <TextField {...f('code')} readOnly={record !== null} />
            </>
          ),
        },
      ],
    },
  }
  const pages = pagesOf(def)
  return {
    list: async () => {
      const { TreePage } = await import('./TreePage')
      return {
        Page: () => <TreePage def={def} kind={kind} />,
        texts: ['resource', 'settings'],
        load: ({ queryClient }: { queryClient: QueryClient }) => queryClient.ensureQueryData(vocabularyUsesQuery(kind)),
      }
    },
    record: pages.record,
    create: pages.create,
  }
}

/** Another item of the list, never the item itself nor one under it. */
function Parent({ kind, record, f }: { kind: VocabularyKind; record: Item | null; f: FieldOf }) {
  const items = useQuery(vocabularyQuery(kind)).data ?? []
  const under = record === null ? new Set<number>() : branchOf(items, record.id)
  return <VocabularyField {...f('parent_id')} kind={kind} keep={({ id }) => !under.has(id)} />
}

export const markings = vocabulary('marking')
export const equipments = vocabulary('equipment')
export const tags = vocabulary('tag')
export const levels = vocabulary('level')
export const practiceTypes = vocabulary('practice_type')
export const parcoursThemes = vocabulary('parcours_theme')
export const poiThemes = vocabulary('poi_theme')
export const poiCategories = vocabulary('poi_category')
export const structureTypes = vocabulary('structure_type')
