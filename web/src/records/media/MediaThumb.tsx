import IconFileTypePdf from '@tabler/icons-react/dist/esm/icons/IconFileTypePdf.mjs'
import IconMovie from '@tabler/icons-react/dist/esm/icons/IconMovie.mjs'
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs'
import IconTypography from '@tabler/icons-react/dist/esm/icons/IconTypography.mjs'
import IconVolume from '@tabler/icons-react/dist/esm/icons/IconVolume.mjs'
import { useState } from 'react'
import type { MediaKind, Media } from '@/api/types'
import { textOf } from '@/ui/format'
import classes from './MediaThumb.module.css'

export const kindIcons = {
  image: IconPhoto,
  video: IconMovie,
  audio: IconVolume,
  pdf: IconFileTypePdf,
  font: IconTypography,
} satisfies Record<MediaKind, unknown>

/** The thumbnail of a media file, else the icon of its kind. `named`: its name is written beside it, so the picture needs no alternative text. */
export function MediaThumb({
  media,
  named = false,
}: {
  named?: boolean
  media: Pick<Media, 'kind' | 'thumb_url' | 'alt' | 'legend' | 'file_name'> & { focal?: { x: number; y: number } | null }
}) {
  const [failed, setFailed] = useState(false)
  const Mark = kindIcons[media.kind]
  const focal = media.focal ?? null
  return (
    <span className={classes['thumb']} data-kind={media.kind}>
      {media.thumb_url !== null && !failed ? (
        <img
          src={media.thumb_url}
          alt={textOf(media.alt, named ? '' : textOf(media.legend, media.file_name))}
          loading="lazy"
          decoding="async"
          onError={() => setFailed(true)}
          style={focal === null ? undefined : { objectPosition: `${focal.x * 100}% ${focal.y * 100}%` }}
        />
      ) : (
        <Mark size={32} stroke={1.5} aria-hidden />
      )}
    </span>
  )
}
