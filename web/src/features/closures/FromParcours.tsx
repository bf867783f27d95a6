import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '@/api/client'
import type { LngLat } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { NumberBox } from '@/ui/field/NumberBox'
import { format } from '@/ui/format'
import { simplify } from '@/records/map/geo'
import { measure, sliceLine } from '@/records/map/line'
import { problemText } from '@/records/problem-text'
import { RecordPicker } from '@/records/picker/RecordPicker'
import classes from './closures.module.css'

/** A closure needs no finer line; the simplified line can be edited point by point. */
const TOLERANCE_M = 3

/** Copies a stretch of a parcours, between two kilometres, as the line of the closure. */
export function FromParcours({ onTake }: { onTake: (line: LngLat[]) => void }) {
  const { t } = useTranslation('closures')
  const [id, setId] = useState<number | null>(null)
  const [fromKm, setFrom] = useState<number | null>(null)
  const [toKm, setTo] = useState<number | null>(null)
  const take = useMutation({
    mutationFn: async () => {
      const trace = await unwrap(api.GET('/api/v1/parcours/{id}/trace', { params: { path: { id: id ?? 0 } } }))
      const line = measure(trace.line)
      return { lengthM: line.lengthM, points: sliceLine(line, (fromKm ?? 0) * 1000, Math.min(line.lengthM, (toKm ?? 0) * 1000)) }
    },
    onSuccess: ({ points }) => {
      if (points.length > 1) onTake(simplify(points, TOLERANCE_M).map(([lon, lat]) => [lon, lat]))
    },
  })
  const reason =
    id === null
      ? t('from.parcoursFirst')
      : fromKm === null || toKm === null
        ? t('from.kmFirst')
        : toKm <= fromKm
          ? t('from.order')
          : undefined
  const tooFar = take.data !== undefined && take.data.points.length < 2
  return (
    <fieldset className={classes['from']}>
      <legend>{t('from.title')}</legend>
      <RecordPicker label={t('from.parcours')} base="/api/v1/parcours" queryKey={['parcours']} value={id} onChange={setId} />
      <NumberBox label={t('from.fromKm')} value={fromKm} onChange={setFrom} onUnreadable={() => setFrom(null)} decimals={2} unit="km" />
      <NumberBox label={t('from.toKm')} value={toKm} onChange={setTo} onUnreadable={() => setTo(null)} decimals={2} unit="km" />
      <Button size="small" busy={take.isPending} disabledReason={reason} onClick={() => take.mutate()}>
        {t('from.take')}
      </Button>
      {(take.error !== null || tooFar) && (
        <Banner tone="danger" live="alert">
          {tooFar ? t('from.beyond', { length: format.distance(take.data?.lengthM ?? 0) }) : problemText(take.error)}
        </Banner>
      )}
    </fieldset>
  )
}
