import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconGripVertical from '@tabler/icons-react/dist/esm/icons/IconGripVertical.mjs'
import type { KeyboardEvent } from 'react'
import type { StopOnTrace, StorySound } from '@/api/types'
import { useTranslation } from '@/i18n'
import { IconButton } from '@/ui/button/Button'
import { format } from '@/ui/format'
import { useRowDrag } from '@/ui/list/useRowDrag'
import classes from './audio.module.css'
import { SoundBadge } from './SoundBadge'

interface Props {
  index: number
  name: string
  sound: StorySound | undefined
  met: StopOnTrace | undefined
  chosen: boolean
  readOnly: boolean
  last: boolean
  onChoose: () => void
  onMove: (to: number) => void
  /** Another stop was dropped here: it takes this place. */
  onTake: (from: number) => void
}

/** One stop of the list: chosen or not, moved by its handle, by the arrows or by Alt and the arrows. */
export function StopRow({ index, name, sound, met, chosen, readOnly, last, onChoose, onMove, onTake }: Props) {
  const { t } = useTranslation('audioWalk')
  const { row, grip, over } = useRowDrag<HTMLLIElement, HTMLSpanElement>('audio-stops', index, readOnly, onTake)
  const onKey = (event: KeyboardEvent) => {
    if (readOnly || !event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    onMove(event.key === 'ArrowUp' ? index - 1 : index + 1)
  }
  const icon = { size: 16, stroke: 1.75, 'aria-hidden': true }
  return (
    <li ref={row} className={classes['row']} data-chosen={chosen || undefined} data-over={over || undefined}>
      <span ref={grip} className={classes['grip']} aria-hidden="true">
        {!readOnly && <IconGripVertical {...icon} />}
      </span>
      <span className={classes['number']} aria-hidden="true">
        {index + 1}
      </span>
      <button
        type="button"
        className={classes['name']}
        aria-current={chosen ? 'true' : undefined}
        aria-keyshortcuts={readOnly ? undefined : 'Alt+ArrowUp Alt+ArrowDown'}
        onClick={onChoose}
        onKeyDown={onKey}
      >
        {name}
        {met?.pass && <span className={classes['where']}>{format.km(met.pass.enters_m, 2)}</span>}
      </button>
      <SoundBadge sound={sound} />
      {!readOnly && (
        <span className={classes['arrows']}>
          <IconButton
            size="small"
            look="ghost"
            label={t('stops.up', { name })}
            disabledReason={index === 0 ? t('stops.isFirst') : undefined}
            icon={<IconArrowUp {...icon} />}
            onClick={() => onMove(index - 1)}
          />
          <IconButton
            size="small"
            look="ghost"
            label={t('stops.down', { name })}
            disabledReason={last ? t('stops.isLast') : undefined}
            icon={<IconArrowDown {...icon} />}
            onClick={() => onMove(index + 1)}
          />
        </span>
      )}
    </li>
  )
}
