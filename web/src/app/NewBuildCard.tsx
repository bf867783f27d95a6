import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useEffect, useState } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { currentBuildId, newerBuild } from './build'
import classes from './NewBuildCard.module.css'

const everyMs = 5 * 60_000

/** Offers a newer build when there is one; never reloads without a click, because the user may be typing. */
export function NewBuildCard() {
  const { t } = useTranslation('shell')
  const [state, setState] = useState<'current' | 'newer' | 'later'>('current')
  useEffect(() => {
    if (state !== 'current') return undefined
    let last = Date.now()
    const ask = async () => {
      if (document.visibilityState !== 'visible') return
      last = Date.now()
      if (await newerBuild(currentBuildId())) setState('newer')
    }
    // Coming back to the tab asks too, but not at each blink.
    const back = () => Date.now() - last > 30_000 && void ask()
    const timer = setInterval(() => void ask(), everyMs)
    window.addEventListener('focus', back)
    return () => {
      clearInterval(timer)
      window.removeEventListener('focus', back)
    }
  }, [state])
  return (
    <div role="status">
      {state === 'newer' && (
        <div className={classes['card']}>
          <IconRefresh size={18} stroke={1.75} aria-hidden />
          <span className="grow">{t('newBuild.text')}</span>
          <Button look="link" onClick={() => window.location.reload()}>
            {t('newBuild.reload')}
          </Button>
          <Button look="link" onClick={() => setState('later')}>
            {t('newBuild.later')}
          </Button>
        </div>
      )}
    </div>
  )
}
