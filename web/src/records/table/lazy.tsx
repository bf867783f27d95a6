import IconTable from '@tabler/icons-react/dist/esm/icons/IconTable.mjs'
import { ensureTexts, useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { useOpening } from '@/ui/menu/useOpening'
import { prefetch } from '@/ui/prefetch'
import type { TableMenuProps } from './TableMenu'

const read = prefetch(async () => (await Promise.all([import('./TableMenu'), ensureTexts('table')]))[0])

/**
 * The button of a list for its table. It is there with the list, and what it opens comes later: a button that comes later moves the others,
 * and a press that begins on one of them would end beside it.
 */
export function TableMenu(props: TableMenuProps) {
  const { t } = useTranslation('resource')
  const face = <Button icon={<IconTable size={18} stroke={1.75} aria-hidden />}>{t('table')}</Button>
  const { module, button, opening } = useOpening(read, 'menu', face)
  return (
    <>
      {button}
      {module && <module.default {...props} opening={opening} />}
    </>
  )
}
