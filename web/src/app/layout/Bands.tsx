import IconFlask from '@tabler/icons-react/dist/esm/icons/IconFlask.mjs'
import IconWifiOff from '@tabler/icons-react/dist/esm/icons/IconWifiOff.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useLocalStorage, useNetwork } from '@mantine/hooks'
import { useTranslation } from '@/i18n'
import { payload } from '@/api/payload'
import classes from './Bands.module.css'

/** The bands above every page: the environment, and a lost connection. */
export function Bands() {
  return (
    <>
      <EnvironmentBand />
      <OfflineBand />
    </>
  )
}

function EnvironmentBand() {
  const { t } = useTranslation('shell')
  const { environment, preproduction_url } = payload()
  const [closed, setClosed] = useLocalStorage({ key: 'jalon.productionNotice', defaultValue: '', getInitialValueInEffect: false })
  if (environment === 'preproduction') {
    return (
      <div className={classes['preproduction']} role="note">
        <IconFlask size={16} stroke={1.75} aria-hidden />
        {t('bands.preproduction')}
      </div>
    )
  }
  // A closed band stays closed for this pre-production address.
  if (environment !== 'production' || preproduction_url === null || closed === preproduction_url) return null
  return (
    <div className={classes['production']} role="note">
      <span>
        {t('bands.production')} <a href={preproduction_url}>{t('bands.toPreproduction')}</a>
      </span>
      <button type="button" aria-label={t('bands.closeNotice')} title={t('bands.closeNotice')} onClick={() => setClosed(preproduction_url)}>
        <IconX size={14} stroke={2} aria-hidden />
      </button>
    </div>
  )
}

function OfflineBand() {
  const { t } = useTranslation('shell')
  const { online } = useNetwork()
  return (
    <div role="status">
      {!online && (
        <div className={classes['offline']}>
          <IconWifiOff size={16} stroke={1.75} aria-hidden />
          {t('bands.offline')}
        </div>
      )}
    </div>
  )
}
