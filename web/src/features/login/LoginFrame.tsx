import { useState, type ReactNode } from 'react'
import { useTranslation } from '@/i18n'
import { payload } from '@/api/payload'
import { Pole } from '@/ui/Brand'
import { currentLocale, locales, type Locale } from '@/i18n'
import { format } from '@/ui/format'
import { useLocaleSwitch } from '@/ui/useLocaleSwitch'
import { useSignInNavigation } from './navigation'
import classes from './LoginFrame.module.css'

const names: Record<Locale, string> = { fr: 'Français', en: 'English' }

/** The layout without header: the form, and beside it on a wide screen what it opens on. */
export function LoginFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation('login')
  const locale = useLocaleSwitch(useSignInNavigation().moveUrl)
  const { version } = payload()
  const [profile] = useState(profilePath)
  return (
    <div className={classes['frame']}>
      <div className={classes['side']}>
        <header className={classes['head']}>
          <span className={classes['brand']}>
            <Pole height={32} />
            Jalon
          </span>
          <nav className={classes['languages']} aria-label={t('language')}>
            {locales.map((code) => (
              <button
                key={code}
                type="button"
                lang={code}
                aria-current={code === currentLocale() || undefined}
                aria-busy={locale.pending === code || undefined}
                onClick={() => void locale.change(code)}
              >
                {names[code]}
              </button>
            ))}
          </nav>
        </header>
        <main id="content" className={classes['box']}>
          {children}
        </main>
        <footer className={classes['foot']}>Jalon {version}</footer>
      </div>
      <div className={classes['picture']} aria-hidden="true">
        <div className={classes['card']}>
          <p>{t('picture.title')}</p>
          <p className={classes['facts']}>
            {format.km(12_970)} · {format.duration(14_700)} · D+ {format.metres(382)}
          </p>
          <svg viewBox="0 0 428 48" preserveAspectRatio="none">
            <path d={`${profile}L428 48L0 48Z`} fill="var(--t-planned)" opacity=".1" />
            <path d={profile} fill="none" stroke="var(--t-planned)" strokeWidth="2.2" />
          </svg>
        </div>
      </div>
    </div>
  )
}

/** The heights of the loop in the picture, every 5 % of its length. */
const heights = [4, 12, 16, 24, 37, 40, 41, 43, 42, 35, 30, 38, 42, 37, 37, 40, 38, 39, 38, 29, 22, 6]
const profilePath = () => heights.map((y, i) => `${i === 0 ? 'M' : 'L'}${((i * 428) / (heights.length - 1)).toFixed(0)} ${y}`).join('')
