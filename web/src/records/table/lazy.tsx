import { lazy, Suspense } from 'react'
import { ensureTexts } from '@/i18n'
import type { TableMenuProps } from './TableMenu'

const Menu = lazy(async () => (await Promise.all([import('./TableMenu'), ensureTexts('table')]))[0])

/** The button of a list for its table: it comes after the list, which is used without it. */
export const TableMenu = (props: TableMenuProps) => (
  <Suspense fallback={null}>
    <Menu {...props} />
  </Suspense>
)
