import { lazy, useContext } from 'react'
import type { Bounds, LngLat } from '@/api/types'
import { payload } from '@/api/payload'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { ErrorIsland } from '@/ui/feedback/ErrorIsland'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { LazyInView } from '@/ui/LazyInView'
import { FieldError, ReadOnly, type FieldProps } from '@/ui/field/Field'
import { NumberInput } from '@/ui/field/inputs'
import classes from './BoundsField.module.css'
import { useField } from './form-context'
import { writePoint } from '@/records/map/point'
import { ReadOnlyContext } from './read-only'

const BoundsMap = lazy(() => import('./BoundsMap'))

const corners = [
  ['ne', 1, 'boundsNorth'],
  ['sw', 1, 'boundsSouth'],
  ['ne', 0, 'boundsEast'],
  ['sw', 0, 'boundsWest'],
] as const

/** A box on the map: its corners are dragged, or its four sides typed. */
export function BoundsField({ name, label }: Pick<FieldProps, 'label'> & { name: string }) {
  const { t } = useTranslation()
  const { value, set, error } = useField<Bounds | null>(name)
  const readOnly = useContext(ReadOnlyContext)
  const words = typeof label === 'string' ? label : t('form.bounds')
  const begin = () => {
    const [west, south, east, north] = payload().map.bbox
    set({ sw: [west, south], ne: [east, north] })
  }
  if (readOnly) return <ReadOnly label={label}>{value && `${writePoint(value.sw)} – ${writePoint(value.ne)}`}</ReadOnly>
  const write = (corner: 'ne' | 'sw', axis: 0 | 1, degrees: number | null) => {
    if (value === null || degrees === null) return
    const [lon, lat] = value[corner]
    const moved: LngLat = axis === 0 ? [degrees, lat] : [lon, degrees]
    set({ ...value, [corner]: moved })
  }
  return (
    <fieldset className={classes['field']} data-field={name}>
      <legend className={classes['legend']}>{label}</legend>
      <div className={classes['map']}>
        <ErrorIsland>
          <LazyInView standIn={<Skeleton height={260} />}>
            <BoundsMap label={words} value={value} onChange={set} />
          </LazyInView>
        </ErrorIsland>
      </div>
      {value === null ? (
        <Button size="small" onClick={begin}>
          {t('form.boundsBegin')}
        </Button>
      ) : (
        <>
          <div className={classes['sides']}>
            {corners.map(([corner, axis, side]) => (
              <label key={side} className={classes['side']}>
                <span>{t(`form.${side}`)}</span>
                <NumberInput value={value[corner][axis]} onChange={(degrees) => write(corner, axis, degrees)} decimals={5} unit="°" />
              </label>
            ))}
          </div>
          <Button size="small" look="ghost" onClick={() => set(null)}>
            {t('form.boundsDrop')}
          </Button>
        </>
      )}
      <FieldError error={error} />
    </fieldset>
  )
}
