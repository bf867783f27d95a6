import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { useState } from 'react'
import type { RecordsPath } from '@/api/resource'
import { tableAddress } from '@/api/table'
import { useCan } from '@/api/session'
import type { Capability } from '@/api/types'
import { currentLocale, useTranslation } from '@/i18n'
import type { ListControl } from '@/records/list/useListState'
import { lazyDialog } from '@/ui/dialog/lazy-dialog'
import MenuBox from '@/ui/menu/MenuBox'
import type { MenuEntry } from '@/ui/menu/MenuButton'
import type { Opening } from '@/ui/menu/useOpening'

const TableImport = lazyDialog(() => import('./TableImport'))

export interface TableMenuProps {
  base: RecordsPath
  queryKey: readonly string[]
  /** The capability to change the records. */
  may: Capability
  list: ListControl
  /** The label of the field that a column is of; none where there is none. */
  labelOf?: (column: string) => string | undefined
}

/** The menu of a list: exports the shown records as a table to edit in a spreadsheet, and imports the edited table. */
export default function TableMenu({ base, queryKey, may: needed, list, labelOf, opening }: TableMenuProps & { opening: Opening }) {
  const { t } = useTranslation('table')
  const [importing, setImporting] = useState(false)
  const [used, setUsed] = useState(false)
  const may = useCan(needed)
  const { page: _page, per_page: _size, sort: _sort, ...filter } = list.query
  const refused = may ? {} : { disabled: true, title: t('notAllowed') }
  const icon = { size: 16, stroke: 1.75, 'aria-hidden': true }
  const exportEntry = (format: 'xlsx' | 'csv', label: string): MenuEntry => ({
    label,
    left: <IconDownload {...icon} />,
    ...(may ? { download: tableAddress(base, filter, { format, lang: currentLocale() }) } : refused),
  })
  const open = () => {
    setUsed(true)
    setImporting(true)
  }
  return (
    <>
      <MenuBox
        position="bottom-end"
        zIndex={160}
        opening={opening}
        entries={() => [
          exportEntry('xlsx', t('exportXlsx')),
          exportEntry('csv', t('exportCsv')),
          { label: t('import'), left: <IconUpload {...icon} />, onSelect: open, ...refused },
        ]}
      />
      {used && <TableImport base={base} queryKey={queryKey} labelOf={labelOf} opened={importing} onClose={() => setImporting(false)} />}
    </>
  )
}
