import { Menu } from '@mantine/core'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { lazy, Suspense, useState } from 'react'
import type { RecordsPath } from '@/api/resource'
import { tableAddress } from '@/api/table'
import { useCan } from '@/api/session'
import type { Capability } from '@/api/types'
import { currentLocale, useTranslation } from '@/i18n'
import type { ListControl } from '@/records/list/useListState'
import { toastError } from '@/ui/feedback/toast'
import { PlaceOf, type Opening } from '@/ui/menu/useOpening'

const TableImport = lazy(() => import('./TableImport'))

export interface TableMenuProps {
  base: RecordsPath
  queryKey: readonly string[]
  /** The capability to change the records. */
  may: Capability
  list: ListControl
}

/** What the list shows as a table to edit in a spreadsheet, and such a table taken back: what the button of a list opens. */
export default function TableMenu({ base, queryKey, may: needed, list, opening }: TableMenuProps & { opening: Opening }) {
  const { t } = useTranslation('table')
  const [importing, setImporting] = useState(false)
  const [used, setUsed] = useState(false)
  const may = useCan(needed)
  const { page: _page, per_page: _size, sort: _sort, ...filter } = list.query
  const refuse = () => toastError(t('notAllowed'))
  const open = () => {
    setUsed(true)
    setImporting(true)
  }
  const exported = (format: 'xlsx' | 'csv', words: string) => {
    const icon = <IconDownload size={16} stroke={1.75} aria-hidden />
    if (!may)
      return (
        <Menu.Item leftSection={icon} aria-disabled onClick={refuse}>
          {words}
        </Menu.Item>
      )
    return (
      <Menu.Item component="a" download leftSection={icon} href={tableAddress(base, filter, { format, lang: currentLocale() })}>
        {words}
      </Menu.Item>
    )
  }
  return (
    <>
      <Menu position="bottom-end" shadow="md" zIndex={160} id={opening.id} opened={opening.opened} onChange={opening.setOpened}>
        <Menu.Target>
          <PlaceOf button={opening.id} />
        </Menu.Target>
        <Menu.Dropdown>
          {exported('xlsx', t('exportXlsx'))}
          {exported('csv', t('exportCsv'))}
          <Menu.Item
            leftSection={<IconUpload size={16} stroke={1.75} aria-hidden />}
            aria-disabled={!may || undefined}
            onClick={may ? open : refuse}
          >
            {t('import')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {used && (
        <Suspense fallback={null}>
          <TableImport base={base} queryKey={queryKey} opened={importing} onClose={() => setImporting(false)} />
        </Suspense>
      )}
    </>
  )
}
