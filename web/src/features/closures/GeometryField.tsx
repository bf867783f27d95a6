import { lazy, Suspense, useContext } from 'react'
import type { Closure, LngLat } from '@/api/types'
import { useTranslation } from '@/i18n'
import { ErrorIsland } from '@/ui/feedback/ErrorIsland'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { FieldError } from '@/ui/field/Field'
import { Segments } from '@/ui/field/inputs'
import { useField } from '@/records/form/form-context'
import { ReadOnlyContext } from '@/records/form/read-only'
import type { ShapeKind } from '@/records/shape/shape'
import classes from '@/records/resource/resource.module.css'
import { FromParcours } from './FromParcours'

const ClosureMap = lazy(() => import('./ClosureMap'))

export type Geometry = NonNullable<Closure['geometry']>
const flat = (points: readonly (readonly number[])[]): LngLat[] =>
  points.flatMap(([lon, lat]) => (lon === undefined || lat === undefined ? [] : [[lon, lat] satisfies LngLat]))

/** The points as the user draws them: an area's ring is not closed. */
export const pointsOf = (geometry: Geometry | undefined): LngLat[] =>
  geometry === undefined ? [] : geometry.type === 'Polygon' ? flat(geometry.coordinates[0] ?? []).slice(0, -1) : flat(geometry.coordinates)

export const geometryOf = (points: readonly LngLat[], kind: ShapeKind): Geometry =>
  kind === 'area'
    ? { type: 'Polygon', coordinates: [[...points, ...points.slice(0, 1)]] }
    : { type: 'LineString', coordinates: [...points] }

/** The place of a closure: an area, or a line that is drawn by hand or cut out of a parcours. */
export function GeometryField() {
  const { t } = useTranslation('closures')
  const { value, set, error } = useField<Geometry[]>('geometry')
  const readOnly = useContext(ReadOnlyContext)
  const [geometry] = value
  const kind: ShapeKind = geometry?.type === 'LineString' ? 'line' : 'area'
  const points = pointsOf(geometry)
  const draw = (next: readonly LngLat[], as: ShapeKind) => set(next.length === 0 && as === 'area' ? [] : [geometryOf(next, as)])
  return (
    <div className={classes['fields']} data-field="geometry">
      {!readOnly && (
        <>
          <Segments<ShapeKind>
            label={t('shape')}
            value={kind}
            onChange={(as) => draw(points, as)}
            choices={(['area', 'line'] as const).map((as) => ({ value: as, label: t(`shapes.${as}`) }))}
          />
          {kind === 'line' && <FromParcours onTake={(line) => draw(line, 'line')} />}
        </>
      )}
      <ErrorIsland>
        <Suspense fallback={<Skeleton height={360} />}>
          <ClosureMap kind={kind} points={points} {...(readOnly ? {} : { onChange: (next: LngLat[]) => draw(next, kind) })} />
        </Suspense>
      </ErrorIsland>
      <FieldError error={error} />
    </div>
  )
}
