import { useTranslation } from '@/i18n'
import { addressOf, type Asked } from '@/api/resource'
import { payload } from '@/api/payload'
import { ButtonAnchor } from '@/ui/button/Button'
import classes from './QrCode.module.css'

const pngPixels = 1024

/** The QR code of a link: to look at, and to take away for a screen (PNG) or a printer (SVG). `taken` is asked where it is taken. */
export function QrCode({ path, name, taken = {} }: { path: string; name: string; taken?: Asked }) {
  const { t } = useTranslation()
  const at = `${payload().api_base}${path}/qr`
  return (
    <div className={classes['qr']}>
      <img src={`${at}.svg`} alt={t('link.qrAlt')} width={132} height={132} loading="lazy" />
      <div className={classes['qrButtons']}>
        <ButtonAnchor size="small" href={addressOf(`${at}.svg`, taken)} download={`${name}.svg`}>
          {t('link.qrSvg')}
        </ButtonAnchor>
        <ButtonAnchor size="small" href={addressOf(`${at}.png`, { size: pngPixels, ...taken })} download={`${name}.png`}>
          {t('link.qrPng')}
        </ButtonAnchor>
      </div>
    </div>
  )
}
