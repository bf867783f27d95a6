import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'
import type { CustomField, CustomFieldUse } from '@/api/types'

/** How many records fill in each custom field of a white-label, also those that were removed. */
export const customUsesQuery = (id: number) =>
  queryOptions({
    queryKey: ['white_label', id, 'custom-fields'],
    queryFn: async () => (await unwrap(api.GET('/api/v1/white-labels/{id}/custom-fields', { params: { path: { id } } }))).items,
    staleTime: 0,
  })

type Named = Pick<CustomField, 'key' | 'on'>

/** Whether two are the same field: values are stored by its key, for one kind of content. */
export const isSameField = (one: Named, other: Named): boolean => one.key === other.key && one.on === other.on

/** How many records fill in a field; `undefined` while it is not known. */
export const recordsOf = (uses: readonly CustomFieldUse[] | undefined, field: Named): number | undefined =>
  uses === undefined ? undefined : (uses.find((use) => isSameField(use, field))?.records ?? 0)

/** The fields whose values are stored, and that the form does not have: nothing shows them. */
export const hiddenUses = (uses: readonly CustomFieldUse[] | undefined, fields: readonly Named[]): CustomFieldUse[] =>
  (uses ?? []).filter((use) => use.records > 0 && !fields.some((field) => isSameField(field, use)))
