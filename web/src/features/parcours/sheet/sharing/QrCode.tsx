import { useTranslation } from '@/i18n'
import { payload } from '@/api/payload'
import { ButtonAnchor } from '@/ui/button/Button'
import classes from './sharing.module.css'

const pngPixels = 1024

/** The QR code of a link: to look at, and to take away for a screen (PNG) or a printer (SVG). */
export function QrCode({ parcoursId, shareId }: { parcoursId: number; shareId: number }) {
  const { t } = useTranslation('sheet')
  const at = `${payload().api_base}/api/v1/parcours/${parcoursId}/shares/${shareId}/qr`
  const name = `parcours-${parcoursId}-qr`
  return (
    <div className={classes['qr']}>
      <img src={`${at}.svg`} alt={t('sharing.qrAlt')} width={132} height={132} loading="lazy" />
      <div className={classes['qrButtons']}>
        <ButtonAnchor size="small" href={`${at}.svg?taken=true`} download={`${name}.svg`}>
          {t('sharing.qrSvg')}
        </ButtonAnchor>
        <ButtonAnchor size="small" href={`${at}.png?size=${pngPixels}&taken=true`} download={`${name}.png`}>
          {t('sharing.qrPng')}
        </ButtonAnchor>
      </div>
    </div>
  )
}
