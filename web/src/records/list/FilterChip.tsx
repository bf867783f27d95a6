import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import type { KeyboardEvent } from 'react'
import { useTranslation } from '@/i18n'
import { passFocusOn } from '@/ui/list/row-focus'
import classes from './FilterBar.module.css'

/** While Enter is held down it presses again and again: each removed chip passes the focus to the next one, and all would be removed. */
export const ignoreRepeat = (event: KeyboardEvent) => {
  if (event.repeat && event.key === 'Enter') event.preventDefault()
}

/** The chip of an active filter: pressing it removes the filter. */
export function FilterChip({ words, onDrop }: { words: string; onDrop: () => void }) {
  const { t } = useTranslation()
  return (
    <button
      ref={passFocusOn}
      type="button"
      className={classes['chip']}
      data-on
      aria-label={t('list.removeFilter', { filter: words })}
      onKeyDown={ignoreRepeat}
      onClick={onDrop}
    >
      {words}
      <IconX size={15} stroke={2} aria-hidden />
    </button>
  )
}
