import IconDotsVertical from '@tabler/icons-react/dist/esm/icons/IconDotsVertical.mjs'
import type { ParcoursRow } from '@/api/types'
import { useTranslation } from '@/i18n'
import { IconButton } from '@/ui/button/Button'
import { textOf } from '@/ui/format'
import { closedMenu } from '@/ui/menu/MenuButton'
import { useLater } from '@/ui/menu/useLater'
import { prefetch } from '@/ui/prefetch'

const read = prefetch(() => import('./RowActions'))

/** The button of a row for its actions: a list has a hundred, and most are never pressed. */
export function RowMenu({ row }: { row: ParcoursRow }) {
  const { t } = useTranslation('parcours')
  const { module, open } = useLater(read)
  const button = (
    <IconButton
      look="ghost"
      size="small"
      label={t('menu.of', { title: textOf(row.title) })}
      icon={<IconDotsVertical size={18} stroke={1.75} aria-hidden />}
    />
  )
  return module === null ? closedMenu(button, open) : <module.default row={row} button={button} />
}
