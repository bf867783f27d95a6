import type { TransportLine } from '@/api/types'
import { contrast } from '@/ui/theme/contrast'
import classes from './lines.module.css'

/** The line's code in its own colours, as on its signs; when they can't be read, black or white is written instead. */
export function LineTag({ line }: { line: Pick<TransportLine, 'short_name' | 'long_name' | 'color' | 'text_color'> }) {
  const { color, text_color: own } = line
  const words = (line.short_name || line.long_name).slice(0, 5)
  if (color === null) return <span className={classes['tag']}>{words}</span>
  const readable = own !== null && (contrast(color, own) ?? 1) >= 4.5
  const text = readable ? own : (contrast(color, '#FFFFFF') ?? 1) >= 4.5 ? '#FFFFFF' : '#000000'
  return (
    <span className={classes['tag']} style={{ background: color, color: text }}>
      {words}
    </span>
  )
}
