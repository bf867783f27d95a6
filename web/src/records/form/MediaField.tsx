import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import IconPhotoPlus from '@tabler/icons-react/dist/esm/icons/IconPhotoPlus.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useContext, useState } from 'react'
import { resourceApi } from '@/api/resource'
import type { MediaKind, Media } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Button, IconButton } from '@/ui/button/Button'
import { lazyDialog } from '@/ui/dialog/lazy-dialog'
import { FieldError, type FieldProps } from '@/ui/field/Field'
import { textOf } from '@/ui/format'
import { MediaThumb } from '@/records/media/MediaThumb'
import { useField } from './form-context'
import classes from './MediaField.module.css'
import { ReadOnlyContext } from './read-only'

const MediaPicker = lazyDialog(() => import('@/records/media/MediaPicker'))

interface MediaFieldProps extends Pick<FieldProps, 'label' | 'hint' | 'required'> {
  name: string
  kind?: MediaKind
  /** Marks the first one as « Couverture ». */
  cover?: boolean
}

/** The media files with these ids, in the order of the ids. */
export function useMediaOf(ids: readonly number[]): readonly Media[] {
  const { data } = useQuery({
    queryKey: ['media', 'list', 'ids', ids.toSorted((a, b) => a - b)],
    queryFn: () => resourceApi<Media>('/api/v1/medias').list({ ids: ids.join(','), per_page: 100 }),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  return ids.flatMap((id) => data?.items.filter((item) => item.id === id) ?? [])
}

/** Several media files in their order; the first one is the cover. They are added from the library, moved and removed one by one. */
export function MediaListField({ name, ...props }: MediaFieldProps) {
  const { value, set, error } = useField<number[] | undefined>(name)
  return <MediaFields {...props} name={name} ids={value ?? []} set={set} error={error} many />
}

/** One media file: a logo, a font, a sound. */
export function MediaField({ name, ...props }: MediaFieldProps) {
  const { value, set, error } = useField<number | null | undefined>(name)
  return (
    <MediaFields
      {...props}
      name={name}
      ids={value === null || value === undefined ? [] : [value]}
      set={(ids) => set(ids.at(-1) ?? null)}
      error={error}
    />
  )
}

function MediaFields({
  name,
  label,
  hint,
  required = false,
  kind,
  cover = false,
  ids,
  set,
  error,
  many = false,
}: MediaFieldProps & { ids: readonly number[]; set: (ids: number[]) => void; error: string | undefined; many?: boolean }) {
  const { t } = useTranslation()
  const readOnly = useContext(ReadOnlyContext)
  const mediaFiles = useMediaOf(ids)
  const [picking, setPicking] = useState(false)
  const [announcement, announce] = useState('')
  const move = (from: number, to: number) => {
    const next = [...ids]
    const [one] = next.splice(from, 1)
    if (one === undefined || to < 0 || to > next.length) return
    next.splice(to, 0, one)
    set(next)
    announce(t('media.moved', { place: to + 1, total: ids.length }))
  }
  return (
    <fieldset className={classes['field']} data-field={name}>
      <legend className={classes['legend']}>
        {label}
        {required && <span className={classes['required']}> *</span>}
      </legend>
      {hint && <p className={classes['hint']}>{hint}</p>}
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      {ids.length > 0 && (
        <ol className={classes['list']}>
          {mediaFiles.map((media, index) => {
            const title = textOf(media.legend, media.file_name)
            return (
              <li key={media.id} className={classes['item']}>
                <MediaThumb media={media} named />
                {cover && index === 0 && <span className={classes['cover']}>{t('media.cover')}</span>}
                <span className={classes['title']} title={title}>
                  {title}
                </span>
                {!readOnly && (
                  <span className={classes['tools']}>
                    {many && (
                      <IconButton
                        size="small"
                        look="ghost"
                        label={t('media.before', { title })}
                        disabledReason={index === 0 ? t('media.isFirst') : undefined}
                        icon={<IconArrowLeft size={16} stroke={1.75} aria-hidden />}
                        onClick={() => move(index, index - 1)}
                      />
                    )}
                    {many && (
                      <IconButton
                        size="small"
                        look="ghost"
                        label={t('media.after', { title })}
                        disabledReason={index === ids.length - 1 ? t('media.isLast') : undefined}
                        icon={<IconArrowRight size={16} stroke={1.75} aria-hidden />}
                        onClick={() => move(index, index + 1)}
                      />
                    )}
                    <IconButton
                      size="small"
                      look="ghost"
                      label={t('media.remove', { title })}
                      icon={<IconX size={16} stroke={1.75} aria-hidden />}
                      onClick={() => set(ids.filter((id) => id !== media.id))}
                    />
                  </span>
                )}
              </li>
            )
          })}
        </ol>
      )}
      {ids.length === 0 && <p className="small muted">{t('media.none')}</p>}
      {!readOnly && (
        <Button size="small" icon={<IconPhotoPlus size={16} stroke={1.75} aria-hidden />} onClick={() => setPicking(true)}>
          {t(many ? 'media.add' : ids.length === 0 ? 'media.choose' : 'media.replace')}
        </Button>
      )}
      <FieldError error={error} />
      {picking && (
        <MediaPicker
          title={typeof label === 'string' ? label : t('media.choose')}
          {...(kind === undefined ? {} : { kind })}
          many={many}
          taken={ids}
          onClose={() => setPicking(false)}
          onPick={(picked) => {
            set(many ? [...ids, ...picked.filter((id) => !ids.includes(id))] : picked.slice(0, 1))
            setPicking(false)
          }}
        />
      )}
    </fieldset>
  )
}
