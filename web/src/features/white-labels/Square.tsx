import { contrast } from '@/ui/theme/contrast'
import classes from './white-labels.module.css'

/** The letters of a white-label in its colour: what it is known by in lists. */
export function Square({ name, color, large = false }: { name: string; color: string | null; large?: boolean }) {
  const words = name.split(/[\s'’-]+/).filter((word) => /^\p{L}/u.test(word))
  // « Val d’Orsel » is VO: the small words between names are no initials.
  const named = words.filter((word) => /^\p{Lu}/u.test(word))
  const letters = (named.length > 0 ? named : words)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('')
  const white = color === null || (contrast(color, '#FFFFFF') ?? 21) >= 4.5
  return (
    <span
      className={classes['square']}
      data-large={large || undefined}
      data-white={white || undefined}
      style={color === null ? undefined : { background: color }}
      aria-hidden="true"
    >
      {letters}
    </span>
  )
}
