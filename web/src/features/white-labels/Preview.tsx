import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { Segments } from '@/ui/field/inputs'
import { contrast } from '@/ui/form/contrast'
import { useField } from '@/ui/form/form-context'
import { useMedias } from '@/ui/form/MediaField'
import classes from './white-labels.module.css'

type Face = 'phone' | 'site' | 'pdf'
interface Colors {
  primary: string | null
  secondary: string | null
  tertiary: string | null
}

const good = (color: string | null, usual: string) => (color !== null && /^#[0-9a-f]{6}$/i.test(color) ? color : usual)
/** The text that a colour of the client's bears: white as asked, black where white can't be read at all. */
const on = (color: string) => ((contrast(color, '#FFFFFF') ?? 21) >= 2 ? '#FFFFFF' : '#17211C')

/** What visitors would see: follows each keystroke, publishes nothing. */
export function Preview() {
  const { t } = useTranslation('whiteLabels')
  const [face, setFace] = useState<Face>('phone')
  const name = useField<string>('name').value
  const colors = useField<Colors>('colors').value
  const fonts = useField<{ title_media_id: number | null; text_media_id: number | null }>('fonts').value
  const logoId = useField<number | null>(face === 'pdf' ? 'pdf_logo_media_id' : 'logo_media_id').value
  const backgroundId = useField<number | null>('pdf_background_media_id').value
  const medias = useMedias([logoId, backgroundId, fonts.title_media_id, fonts.text_media_id].filter((id) => id !== null))
  const urlOf = (id: number | null) => medias.find((media) => media.id === id)
  const primary = good(colors.primary, '#0B5F50')
  const secondary = good(colors.secondary, primary)
  const tertiary = good(colors.tertiary, '#F5F6F3')
  const logo = urlOf(logoId)
  const background = urlOf(backgroundId)
  const fontFaces = (['title', 'text'] as const).flatMap((place) => {
    const font = urlOf(place === 'title' ? fonts.title_media_id : fonts.text_media_id)
    return font === undefined ? [] : [`@font-face { font-family: 'preview-${place}'; src: url('${font.url}'); font-display: swap; }`]
  })
  return (
    <section className={classes['preview']} aria-label={t('preview.title')}>
      <div className={classes['previewHead']}>
        <h2>{t('preview.title')}</h2>
        <Segments<Face> label={t('preview.face')} value={face} onChange={setFace} choices={(['phone', 'site', 'pdf'] as const).map((value) => ({ value, label: t(`preview.${value}`) }))} />
      </div>
      <style>{fontFaces.join('\n')}</style>
      <div className={classes['face']} data-face={face} style={{ background: tertiary, fontFamily: "'preview-text', var(--font)" }} aria-hidden="true">
        <div className={classes['faceTop']} style={face === 'pdf' ? { color: primary } : { background: primary, color: on(primary) }}>
          {logo !== undefined && <img src={logo.thumb_url ?? logo.url} alt="" />}
          <strong style={{ fontFamily: "'preview-title', var(--font-title)" }}>{name === '' ? t('preview.unnamed') : name}</strong>
        </div>
        <div className={classes['facePicture']} style={background !== undefined && face === 'pdf' ? { backgroundImage: `url('${background.url}')`, backgroundSize: 'cover' } : undefined}>
          <svg viewBox="0 0 240 110" preserveAspectRatio="none">
            <path d="M0 78 L48 40 L88 66 L132 22 L178 62 L240 34 V110 H0 Z" fill="currentColor" opacity="0.16" />
            <path d="M16 92 C60 50, 92 96, 126 62 S196 40, 224 70" fill="none" stroke={primary} strokeWidth="4" strokeLinecap="round" />
            <circle cx="16" cy="92" r="6" fill={secondary} />
            <circle cx="224" cy="70" r="6" fill={secondary} />
          </svg>
        </div>
        <div className={classes['faceBody']}>
          <strong style={{ fontFamily: "'preview-title', var(--font-title)" }}>{t('preview.record')}</strong>
          <span>{t('preview.facts')}</span>
          <span className="row">
            <span className={classes['faceButton']} style={{ background: secondary, color: on(secondary) }}>
              {t('preview.start')}
            </span>
            <span className={classes['faceButton']} style={{ border: `1px solid ${primary}`, color: primary }}>
              {t('preview.download')}
            </span>
          </span>
        </div>
      </div>
      <p className="tiny muted">{t('preview.note')}</p>
    </section>
  )
}
