import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import { useId } from 'react'
import type { WatchStretch } from '@/api/types'
import { useTranslation } from '@/i18n'
import { format } from '@/ui/format'
import { letterOf, useCause } from './cause'
import classes from './network-watch.module.css'

/** More ways than this are not named one by one. */
const WAYS_NAMED = 3

interface StretchesProps {
  stretches: readonly WatchStretch[]
  /** The rank of the stretch under the pointer or the focus. */
  highlighted: number | null
  onHighlight: (rank: number | null) => void
}

/** A, B, C along the trace, as on the map. */
export function Stretches({ stretches, highlighted, onHighlight }: StretchesProps) {
  const { t } = useTranslation('watch')
  if (stretches.length === 0) return <p className={classes['hint']}>{t('noStretch')}</p>
  return (
    <ol className={classes['stretches']} aria-label={t('stretches')}>
      {stretches.map((stretch, rank) => (
        <Stretch
          key={`${rank} ${stretch.from_km}`}
          stretch={stretch}
          rank={rank}
          highlighted={highlighted === rank}
          onHighlight={onHighlight}
        />
      ))}
    </ol>
  )
}

/** The present and the former state of a stretch, and links to the map and its editor. */
function Stretch({
  stretch,
  rank,
  highlighted,
  onHighlight,
}: {
  stretch: WatchStretch
  rank: number
  highlighted: boolean
  onHighlight: StretchesProps['onHighlight']
}) {
  const { t } = useTranslation('watch')
  const cause = useCause()
  const letter = letterOf(rank)
  const id = useId()
  const fits = stretch.cause === 'now_on_way'
  const ways = [...new Set(fits ? stretch.ways_used : stretch.ways_left)].slice(0, WAYS_NAMED)
  return (
    <li className={classes['stretch']} data-lit={highlighted || undefined}>
      <button
        type="button"
        className={classes['what']}
        aria-describedby={`${id}-where`}
        onMouseEnter={() => onHighlight(rank)}
        onMouseLeave={() => onHighlight(null)}
        onFocus={() => onHighlight(rank)}
        onBlur={() => onHighlight(null)}
        onClick={() => onHighlight(rank)}
      >
        <span className={classes['letter']} data-fits={fits || undefined} aria-hidden="true">
          {letter}
        </span>
        <span className="visually-hidden">{t('show', { letter })}</span>
        <strong>{cause(stretch)}</strong>
      </button>
      <div className={classes['rest']}>
        <p id={`${id}-where`} className="small muted num">
          {t('where', {
            from: format.number(stretch.from_km, 2),
            to: format.number(stretch.to_km, 2),
            length: format.distance(stretch.length_m),
          })}
          {' · '}
          {stretch.was === null ? t('wasOnWay') : t('was', { cause: cause({ cause: stretch.was, max_offset_m: stretch.max_offset_m }) })}
        </p>
        {(ways.length > 0 || stretch.edit_url) && (
          <p className={classes['links']}>
            {ways.map((way) => (
              <Outside key={way} href={`https://www.openstreetmap.org/way/${way}/history`}>
                {t(fits ? 'wayUsed' : 'wayLeft', { way: String(way) })}
              </Outside>
            ))}
            {stretch.edit_url && <Outside href={stretch.edit_url}>{t('edit')}</Outside>}
          </p>
        )}
      </div>
    </li>
  )
}

function Outside({ href, children }: { href: string; children: string }) {
  const { t } = useTranslation('watch')
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
      <span className="visually-hidden">{t('newTab')}</span>
      <IconExternalLink size={14} stroke={1.75} aria-hidden />
    </a>
  )
}
