import { useTranslation } from '@/i18n'
import type { Step } from '@/api/types'
import { format } from '@/ui/format'
import { useField } from '@/records/form/form-context'
import classes from './steps.module.css'

/** Distance and duration to the next step: typed values win, and are marked as typed. */
export function ToNext({ at, name, known }: { at: string; name: string; known: Step | undefined }) {
  const { t } = useTranslation('sheet')
  const metres = useField<number | null>(`${at}.distance_to_next_typed_m`).value
  const seconds = useField<number | null>(`${at}.duration_to_next_typed_s`).value
  const typed = typeof metres === 'number' || typeof seconds === 'number'
  const distance = metres ?? known?.distance_to_next_m
  const duration = seconds ?? known?.duration_to_next_s
  if (typeof distance !== 'number' && typeof duration !== 'number') return <span className="faint">{t('steps.atSave')}</span>
  return (
    <span className={classes['toNext']} title={t(typed ? 'steps.typedOf' : 'steps.computedOf', { name })}>
      <span className="num nowrap">{typeof distance === 'number' ? format.distance(distance) : '–'}</span>
      <span className="num nowrap muted">{typeof duration === 'number' ? format.duration(duration) : '–'}</span>
      {typed && <span className={classes['typed']}>{t('itinerary.typed')}</span>}
    </span>
  )
}
