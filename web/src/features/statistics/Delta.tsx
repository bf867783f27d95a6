import IconArrowDownRight from '@tabler/icons-react/dist/esm/icons/IconArrowDownRight.mjs'
import IconArrowUpRight from '@tabler/icons-react/dist/esm/icons/IconArrowUpRight.mjs'
import { useTranslation } from '@/i18n'
import { format } from '@/ui/format'
import { percentMore } from './percent'
import classes from './statistics.module.css'

/** The change since the period before: an arrow and a figure, and a whole sentence for screen readers. */
export function Delta({ now, before }: { now: number; before: number }) {
  const { t } = useTranslation('statistics')
  const more = percentMore(now, before)
  if (more === null) return <span className={classes['delta']}>{now === 0 ? '' : t('delta.new')}</span>
  if (more === 0) return <span className={classes['delta']}>{t('delta.same')}</span>
  const Arrow = more > 0 ? IconArrowUpRight : IconArrowDownRight
  const percent = format.percent(Math.abs(more), 0)
  return (
    <span className={classes['delta']} data-more={more > 0 || undefined}>
      <Arrow size={14} stroke={2} aria-hidden />
      <span className="num" aria-hidden="true">
        {percent}
      </span>
      <span className="visually-hidden">{t(more > 0 ? 'delta.more' : 'delta.less', { percent })}</span>
    </span>
  )
}
