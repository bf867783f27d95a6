import IconDotsVertical from '@tabler/icons-react/dist/esm/icons/IconDotsVertical.mjs'
import type { ParcoursRow } from '@/api/types'
import { useTranslation } from '@/i18n'
import { IconButton } from '@/ui/button/Button'
import { textOf } from '@/ui/format'
import { useOpening } from '@/ui/menu/useOpening'
import { prefetch } from '@/ui/prefetch'

const read = prefetch(() => import('./RowActions'))

/** The button of a row for its actions, which are mounted when they are needed: a list has a hundred, and most are never pressed. */
export function RowMenu({ row }: { row: ParcoursRow }) {
  const { t } = useTranslation('parcours')
  const { module, button, opening } = useOpening(
    read,
    'menu',
    <IconButton
      look="ghost"
      size="small"
      label={t('menu.of', { title: textOf(row.title) })}
      icon={<IconDotsVertical size={18} stroke={1.75} aria-hidden />}
    />,
  )
  return (
    <>
      {button}
      {module && <module.default row={row} opening={opening} />}
    </>
  )
}
