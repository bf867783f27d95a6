import { Menu } from '@mantine/core'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconTable from '@tabler/icons-react/dist/esm/icons/IconTable.mjs'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { lazy, Suspense, useState } from 'react'
import type { RecordsPath } from '@/api/resource'
import { tableAddress } from '@/api/table'
import { useCan } from '@/api/session'
import type { Capability } from '@/api/types'
import { currentLocale, useTranslation } from '@/i18n'
import type { ListControl } from '@/records/list/useListState'
import { Button } from '@/ui/button/Button'
import { toastError } from '@/ui/feedback/toast'

const TableImport = lazy(() => import('./TableImport'))

export interface TableMenuProps {
  base: RecordsPath
  queryKey: readonly string[]
  /** The capability to change the records. */
  may: Capability
  list: ListControl
}

/** What the list shows as a table to edit in a spreadsheet, and such a table taken back. */
export default function TableMenu({ base, queryKey, may: needed, list }: TableMenuProps) {
  const { t } = useTranslation('table')
  const [opened, setOpened] = useState(false)
  const [used, setUsed] = useState(false)
  const may = useCan(needed)
  const { page: _page, per_page: _size, sort: _sort, ...filter } = list.query
  const refuse = () => toastError(t('notAllowed'))
  const open = () => {
    setUsed(true)
    setOpened(true)
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
      <Menu position="bottom-end" shadow="md" zIndex={160}>
        <Menu.Target>
          <Button icon={<IconTable size={18} stroke={1.75} aria-hidden />}>{t('menu')}</Button>
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
          <TableImport base={base} queryKey={queryKey} opened={opened} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  )
}
