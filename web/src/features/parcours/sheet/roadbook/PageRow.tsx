import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconGripVertical from '@tabler/icons-react/dist/esm/icons/IconGripVertical.mjs'
import type { KeyboardEvent } from 'react'
import { useTranslation } from '@/i18n'
import type { RoadbookPage } from '@/api/types'
import { IconButton } from '@/ui/button/Button'
import { Checkbox } from '@/ui/field/inputs'
import { useRowDrag } from '@/ui/list/useRowDrag'
import classes from './roadbook.module.css'

interface Props {
  page: RoadbookPage
  index: number
  name: string
  chosen: boolean
  readOnly: boolean
  mayUp: boolean
  mayDown: boolean
  onChoose: () => void
  onSwitch: (on: boolean) => void
  onMove: (to: number) => void
  /** Another page was dropped here: it takes this place. */
  onTake: (from: number) => void
}

/** One page of the list. It is printed or not, chosen or not, and moved by its handle, its arrow buttons or Alt with the arrow keys. */
export function PageRow({ page, index, name, chosen, readOnly, mayUp, mayDown, onChoose, onSwitch, onMove, onTake }: Props) {
  const { t } = useTranslation('roadbook')
  const { row, grip, over } = useRowDrag<HTMLLIElement, HTMLSpanElement>('roadbook', index, readOnly || (!mayUp && !mayDown), onTake)
  const onKey = (event: KeyboardEvent) => {
    if (readOnly || !event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    onMove(event.key === 'ArrowUp' ? index - 1 : index + 1)
  }
  const icon = { size: 16, stroke: 1.75, 'aria-hidden': true }
  const still = !mayUp && !mayDown
  return (
    <li
      ref={row}
      className={classes['row']}
      data-chosen={chosen || undefined}
      data-off={!page.on || undefined}
      data-over={over || undefined}
    >
      <span ref={grip} className={classes['grip']} data-still={still || undefined} aria-hidden="true">
        {!readOnly && !still && <IconGripVertical {...icon} />}
      </span>
      <Checkbox bare checked={page.on} disabled={readOnly} onChange={onSwitch} label={t('pages.print', { name })} />
      <button
        type="button"
        className={classes['name']}
        aria-current={chosen ? 'true' : undefined}
        aria-keyshortcuts={readOnly ? undefined : 'Alt+ArrowUp Alt+ArrowDown'}
        onClick={onChoose}
        onKeyDown={onKey}
      >
        {name}
      </button>
      {!readOnly && !still && (
        <span className={classes['arrows']}>
          <IconButton
            size="small"
            look="ghost"
            label={t('pages.up', { name })}
            disabledReason={mayUp ? undefined : t('pages.cannotMove')}
            icon={<IconArrowUp {...icon} />}
            onClick={() => onMove(index - 1)}
          />
          <IconButton
            size="small"
            look="ghost"
            label={t('pages.down', { name })}
            disabledReason={mayDown ? undefined : t('pages.cannotMove')}
            icon={<IconArrowDown {...icon} />}
            onClick={() => onMove(index + 1)}
          />
        </span>
      )}
    </li>
  )
}
