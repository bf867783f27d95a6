import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { lazy, useContext } from 'react'
import type { AudioStop, AudioWalkView, LngLat } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { ErrorIsland } from '@/ui/feedback/ErrorIsland'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { Segments } from '@/ui/field/inputs'
import { NumberBox } from '@/ui/field/NumberBox'
import { CheckField } from '@/records/form/choice-fields'
import { NumberField, TextField } from '@/records/form/fields'
import { useField } from '@/records/form/form-context'
import { MediaField } from '@/records/form/MediaField'
import { ReadOnlyContext } from '@/records/form/read-only'
import { LazyInView } from '@/ui/LazyInView'
import { bboxOf } from '@/records/map/geo'
import { measure } from '@/records/map/line'
import { useSheet } from '../context'
import sheet from '../sheet.module.css'
import classes from './audio.module.css'
import { StoryFields } from './StoryFields'
import { alongM, lineOf, placeAt, ringOf } from './walk'

const ShapeEditor = lazy(() => import('@/records/shape/ShapeEditor').then((part) => ({ default: part.ShapeEditor })))

interface Props {
  index: number
  stop: AudioStop
  name: string
  view: AudioWalkView
  onRemove: (() => void) | undefined
}

/** Four corners around a circle: an area to begin with. */
const squareOf = (stop: AudioStop): LngLat[] => {
  const ring = ringOf({ ...stop, corners: [] })
  return [6, 18, 30, 42].flatMap((at) => ring.slice(at, at + 1))
}

/** The settings of a stop: where it is played, and which sound. */
export function StopFields({ index, stop, name, view, onRemove }: Props) {
  const { t } = useTranslation('audioWalk')
  const readOnly = useContext(ReadOnlyContext)
  const at = `stops.${index}`
  const { trace } = useSheet()
  const line = measure(lineOf(trace))
  const place = useField<LngLat>(`${at}.position`)
  const corners = useField<LngLat[]>(`${at}.corners`)
  const shape = corners.value.length === 0 ? 'circle' : 'area'
  const sound = view.sounds.find(({ story }) => stop.id !== 0 && story === `stop/${stop.id}`)
  const kilometres = Math.round(alongM(line, place.value) / 10) / 100
  return (
    <section className={classes['fields']} aria-label={t('stops.fields', { name })}>
      <TextField name={`${at}.title`} label={t('stops.name')} max={200} />
      <StoryFields at={`${at}.story`} sound={sound} view={view} label={name} />
      <div className={sheet['threeColumns']}>
        {!readOnly && line.points.length > 1 && (
          <NumberBox
            label={t('stops.along')}
            hint={t('stops.alongHint')}
            error={place.error}
            path={`${at}.position`}
            value={kilometres}
            unread={place.unread ?? null}
            onUnreadable={place.setUnread}
            decimals={2}
            unit="km"
            onChange={(km) => {
              const to = km === null ? null : placeAt(line, km * 1000)
              if (to) place.set(to)
            }}
          />
        )}
        {shape === 'circle' && <NumberField name={`${at}.radius_m`} label={t('stops.radius')} hint={t('stops.radiusHint')} unit="m" />}
        <NumberField name={`${at}.delay_s`} label={t('stops.delay')} unit="s" />
      </div>
      {!readOnly && (
        <Segments
          label={t('stops.shape')}
          value={shape}
          onChange={(next) => corners.set(next === 'circle' ? [] : squareOf(stop))}
          choices={[
            { value: 'circle', label: t('stops.circle') },
            { value: 'area', label: t('stops.area') },
          ]}
        />
      )}
      {shape === 'area' && (
        <ErrorIsland>
          <LazyInView standIn={<Skeleton height={280} />}>
            <ShapeEditor
              label={t('stops.areaOf', { name })}
              kind="area"
              points={corners.value}
              bounds={bboxOf([...corners.value, place.value])}
              {...(readOnly ? {} : { onChange: (points: LngLat[]) => corners.set(points) })}
            />
          </LazyInView>
        </ErrorIsland>
      )}
      <CheckField name={`${at}.once`} label={t('stops.once')} hint={t('stops.onceHint')} />
      <MediaField name={`${at}.transition_media_id`} label={t('stops.transition')} hint={t('stops.transitionHint')} kind="audio" />
      {onRemove && (
        <div>
          <Button size="small" icon={<IconTrash size={16} stroke={1.75} aria-hidden />} onClick={onRemove}>
            {t('stops.remove')}
          </Button>
        </div>
      )}
    </section>
  )
}
