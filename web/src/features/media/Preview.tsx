import type { Media } from '@/api/types'
import { useTranslation } from '@/i18n'
import { ButtonAnchor } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { textOf } from '@/ui/format'
import classes from './media.module.css'

/** The media file itself: shown or played, with a download of the original. */
export function Preview({ record }: { record: Media }) {
  const { t } = useTranslation('media')
  const { kind, url, poster_url: poster, thumb_url: thumb, specimen_url: specimen } = record
  const alt = textOf(record.alt, textOf(record.legend, record.file_name))
  const picture = kind === 'font' ? specimen : kind === 'pdf' ? (poster ?? thumb) : (variantOf(record) ?? url)
  return (
    <Card title={t('preview')}>
      <div className={classes['preview']}>
        {/* Captions are the author's to make: a file has none of its own. */}
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
        {kind === 'video' && <video controls preload="metadata" src={url} {...(poster ? { poster } : {})} aria-label={alt} />}
        {kind === 'audio' && (
          <>
            {record.waveform !== null && <Wave levels={record.waveform} />}
            {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
            <audio controls preload="metadata" src={url} aria-label={alt} />
          </>
        )}
        {(kind === 'image' || kind === 'pdf' || kind === 'font') && picture && <img src={picture} alt={alt} />}
        <ButtonAnchor href={url} download={record.file_name} size="small">
          {t('download')}
        </ButtonAnchor>
      </div>
    </Card>
  )
}

/** The smallest variant wide enough for the place it is shown in, at two pixels a point. */
const variantOf = ({ variants }: Media): string | undefined =>
  variants.filter(({ width }) => (width ?? 0) >= 640).toSorted((a, b) => (a.width ?? 0) - (b.width ?? 0))[0]?.url

function Wave({ levels }: { levels: readonly number[] }) {
  const step = 4
  return (
    <svg className={classes['wave']} viewBox={`0 0 ${levels.length * step} 100`} preserveAspectRatio="none" aria-hidden="true">
      {levels.map((level, index) => {
        const height = Math.max(2, (level / 255) * 90)
        // The order of the bars is what they are.
        return (
          <rect
            key={`${index} ${level}`}
            x={index * step}
            y={50 - height / 2}
            width={step - 1}
            height={height}
            rx={1}
            fill="currentColor"
          />
        )
      })}
    </svg>
  )
}
