import type { CatalogueRecord } from '@/api/resource'
import { useCan } from '@/api/session'
import { useTranslation } from '@/i18n'
import { isEditable, type ListDef } from './define'

type Row = { id: number; version: number }

/** Why the user may not delete a record or a row of its list; nothing where they may. The role comes first: it refuses every record. */
export function useDeleteRefusal<R extends CatalogueRecord, L extends Row>(def: ListDef<R, L>, record: R | L): string | undefined {
  const { t } = useTranslation('resource')
  const mayChange = useCan(def.may)
  const mayMake = useCan(def.mayMake ?? def.may)
  if (!mayChange || !mayMake) return t('notAllowed')
  // A row of a list may have no `editable`, only `mine`.
  const isOwn = 'editable' in record ? isEditable(record) : !('mine' in record && record.mine === false)
  return isOwn ? undefined : t('notYours')
}
