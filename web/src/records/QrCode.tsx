import { useTranslation } from '@/i18n'
import { addressOf, type QueryParams } from '@/api/resource'
import { payload } from '@/api/payload'
import { ButtonAnchor } from '@/ui/button/Button'
import classes from './QrCode.module.css'

const pngPixels = 1024

/** The QR code of a link, with downloads for a screen (PNG) and for print (SVG). `taken`: additional query parameters of the downloads. */
export function QrCode({ path, name, taken = {} }: { path: string; name: string; taken?: QueryParams }) {
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
