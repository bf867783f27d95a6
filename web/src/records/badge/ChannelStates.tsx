import type { Channel, ChannelState } from '@/api/types'
import { useTranslation } from '@/i18n'
import { format } from '@/ui/format'
import classes from './ChannelStates.module.css'

/** The channels on which a parcours can be published, in the order in which every screen shows them. */
export const channelKeys = ['app', 'white_label', 'widget', 'open_data', 'roadbook'] as const satisfies readonly Channel[]

/** The state of a parcours on each channel (ready, to check, missing), and on how many it is ready. */
export function ChannelStates({ states }: { states: readonly ChannelState[] }) {
  const { t } = useTranslation()
  const words = format.list(
    channelKeys.flatMap((key, i) =>
      states[i] === undefined ? [] : [format.labelled(t(`channel.${key}`), t(`channelState.${states[i]}`))],
    ),
  )
  return (
    <span className={classes['passport']}>
      <span className={classes['pips']} role="img" aria-label={words} title={words}>
        {channelKeys.map((key, i) => (
          <i key={key} className={classes['pip']} data-state={states[i]} />
        ))}
      </span>
      <span className="small muted num" aria-hidden="true">
        {states.filter((state) => state === 'ready').length}/{states.length}
      </span>
    </span>
  )
}
