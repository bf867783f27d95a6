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
import { readPoint, writePoint } from '@/records/map/point'
import { ReadOnlyContext } from './read-only'

const PointMap = lazy(() => import('./PointMap'))

/** A place: on the map by pressing or dragging, with the arrow keys, or typed as « 44,9127 ; 5,3684 ». */
export function PointField({ name, ...field }: Pick<FieldProps, 'label' | 'required' | 'hint'> & { name: string }) {
  const { t } = useTranslation()
  const { value, set, error } = useField<LngLat | null>(name)
  const [text, setText] = useState<string | null>(null)
  const readOnly = useContext(ReadOnlyContext)
  const unread = text !== null && text.trim() !== '' && readPoint(text) === undefined
  const type = (words: string) => {
    setText(words)
    const read = readPoint(words)
    if (read !== undefined) set(read)
  }
  const map = (
    <div className={classes['map']}>
      <ErrorIsland>
        <LazyInView standIn={<Skeleton height={280} />}>
          <PointMap label={typeof field.label === 'string' ? field.label : t('form.point')} value={value ?? null} {...(readOnly ? {} : { onChange: set })} />
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
      <Field {...field} hint={field.hint ?? t('form.pointHint')} error={unread ? t('form.notAPoint') : error} path={name}>
        {(wiring) => <TextInput {...wiring} value={text ?? (value ? writePoint(value) : '')} onChange={type} onBlur={() => !unread && setText(null)} placeholder={writePoint([5.3684, 44.9127])} inputMode="text" autoComplete="off" />}
      </Field>
      {map}
    </>
  )
}
