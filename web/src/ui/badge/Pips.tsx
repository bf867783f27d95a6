import type { ChannelKey, ChannelState } from '@/api/model'
import { useTranslation } from '@/i18n'
import { format } from '@/ui/format'
import classes from './Badge.module.css'

/** The ways out of the house, in their order everywhere. */
export const channelKeys = ['app', 'white_label', 'widget', 'open_data', 'roadbook'] as const satisfies readonly ChannelKey[]

/** How a parcours stands on each channel: full, half, empty, and how many are full. */
export function Pips({ states }: { states: readonly ChannelState[] }) {
  const { t } = useTranslation()
  const words = format.list(channelKeys.flatMap((key, i) => (states[i] === undefined ? [] : [format.labelled(t(`channel.${key}`), t(`channelState.${states[i]}`))])))
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
