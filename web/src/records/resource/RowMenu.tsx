import IconDotsVertical from '@tabler/icons-react/dist/esm/icons/IconDotsVertical.mjs'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { CatalogueRecord } from '@/api/resource'
import { useTranslation } from '@/i18n'
import { IconButton } from '@/ui/button/Button'
import { lazyDialog } from '@/ui/dialog/lazy-dialog'
import { MenuButton } from '@/ui/menu/MenuButton'
import type { ListDef } from './define'
import { useDeleteRefusal } from './useDeleteRefusal'

const RecordDelete = lazyDialog(() => import('./RecordDelete'))

/** What can be done to one record from the list. An action that is not allowed is shown with its reason. */
export function RowMenu<R extends CatalogueRecord, L extends { id: number; version: number }>({
  def,
  row,
}: {
  def: ListDef<R, L>
  row: L
}) {
  const { t } = useTranslation('resource')
  const navigate = useNavigate()
  const refusal = useDeleteRefusal(def, row)
  const [deleting, setDeleting] = useState(false)
  const title = def.titleOf(row)
  return (
    <>
      <MenuButton
        position="bottom-end"
        zIndex={150}
        button={
          <IconButton
            look="ghost"
            size="small"
            label={t('menuOf', { title })}
            icon={<IconDotsVertical size={18} stroke={1.75} aria-hidden />}
          />
        }
        entries={() => [
          { label: t('open'), onSelect: () => void navigate({ to: def.placeOf(row.id) }) },
          def.abilities.remove !== false && {
            label: t('deleteMore'),
            disabled: refusal !== undefined,
            title: refusal,
            onSelect: () => setDeleting(true),
          },
        ]}
      />
      {deleting && (
        <RecordDelete
          base={def.base}
          queryKey={def.queryKey}
          record={row}
          title={title}
          asksUses={def.abilities.uses === true}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  )
}
