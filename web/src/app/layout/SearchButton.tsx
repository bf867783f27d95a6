import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { useEffect, useState } from 'react'
import { ensureTexts, useTranslation } from '@/i18n'
import { lazyDialog } from '@/ui/dialog/lazy-dialog'
import { isDialogOpen } from '@/ui/focus'
import classes from './SearchButton.module.css'

const Palette = lazyDialog(async () => {
  const [palette] = await Promise.all([import('@/features/search/Palette'), ensureTexts('search', 'resource')])
  return palette
})

/** « Rechercher ou agir… », and Ctrl K from anywhere. */
export function SearchButton() {
  const { t } = useTranslation('shell')
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k') return
      // A dialog that waits for an answer keeps the keyboard.
      if (isDialogOpen()) return
      event.preventDefault()
      setOpen(true)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button
        type="button"
        className={classes['search']}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K"
        onClick={() => setOpen(true)}
      >
        <IconSearch size={16} stroke={1.75} aria-hidden />
        <span className={classes['words']}>{t('search')}</span>
        <kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      {open && <Palette onClose={() => setOpen(false)} />}
    </>
  )
}
