import { lazy, useContext, useState } from 'react'
import type { LngLat } from '@/api/types'
import { useTranslation } from '@/i18n'
import { ErrorIsland } from '@/ui/feedback/ErrorIsland'
import { LazyInView } from '@/ui/LazyInView'
import { Field, ReadOnly, type FieldProps } from '@/ui/field/Field'
import { TextInput } from '@/ui/field/inputs'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { useField } from './form-context'
import classes from './PointField.module.css'
import { payload } from '@/api/payload'
import { isSwapped, readPoint, writePoint } from '@/records/map/point'
import { ReadOnlyContext } from './read-only'

const PointMap = lazy(() => import('./PointMap'))

/** Why a typed text is not taken for a place. */
function faultOf(text: string): 'notAPoint' | 'swappedPoint' | null {
  const read = readPoint(text)
  if (read === undefined) return 'notAPoint'
  return read && isSwapped(read, payload().map.bbox) ? 'swappedPoint' : null
}

/** A place: on the map by pressing or dragging, with the arrow keys and Entrée, or typed as « 44,9127 ; 5,3684 ». */
export function PointField({ name, ...field }: Pick<FieldProps, 'label' | 'required' | 'hint'> & { name: string }) {
  const { t } = useTranslation()
  const { value, set, error, unread, setUnread } = useField<LngLat | null>(name)
  const [typed, setText] = useState<string | null>(unread ?? null)
  // A text at fault that the form no longer holds was replaced, by a draft.
  const text = typed !== null && unread === undefined && faultOf(typed) !== null ? null : typed
  const readOnly = useContext(ReadOnlyContext)
  const fault = text === null ? null : faultOf(text)
  const type = (words: string) => {
    setText(words)
    const read = faultOf(words) === null ? readPoint(words) : undefined
    setUnread(read === undefined ? words : null)
    if (read !== undefined) set(read)
  }
  const place = (onMap: LngLat | null) => {
    setText(null)
    setUnread(null)
    set(onMap)
  }
  const map = (
    <div className={classes['map']}>
      <ErrorIsland>
        <LazyInView standIn={<Skeleton height={280} />}>
          <PointMap
            label={typeof field.label === 'string' ? field.label : t('form.point')}
            value={value ?? null}
            {...(readOnly ? {} : { onChange: place })}
          />
        </LazyInView>
      </ErrorIsland>
    </div>
  )
  if (readOnly)
    return (
      <>
        <ReadOnly label={field.label}>{value ? writePoint(value) : null}</ReadOnly>
        {value && map}
      </>
    )
  return (
    <>
      <Field
        {...field}
        hint={
          <>
            {field.hint ?? t('form.pointHint')} {t('form.pointKeys')}
          </>
        }
        error={fault ? t(`form.${fault}`) : error}
        path={name}
      >
        {(wiring) => (
          <TextInput
            {...wiring}
            value={text ?? (value ? writePoint(value) : '')}
            onChange={type}
            onBlur={() => fault === null && setText(null)}
            placeholder={writePoint([5.3684, 44.9127])}
            inputMode="text"
            autoComplete="off"
          />
        )}
      </Field>
      {map}
    </>
  )
}
