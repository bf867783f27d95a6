import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { Link, type LinkProps } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useTranslation } from '@/i18n'
import { Pole } from '@/ui/Brand'
import { useCrumbs } from '@/ui/page-meta'
import { useUpdateMe } from '../session/useUpdateMe'
import { AccountMenu } from './AccountMenu'
import { LocaleMenu } from './LocaleMenu'
import { SearchButton } from './SearchButton'
import classes from './TopBar.module.css'

/** The current page, the language, and the account. */
export function TopBar() {
  const { t } = useTranslation('shell')
  const crumbs = useCrumbs()
  const update = useUpdateMe()
  return (
    <header className={classes['top']}>
      <Link to="/" className={classes['brand']} aria-label={t('nav.homeLink')}>
        <Pole height={24} />
      </Link>
      <nav className={classes['crumbs']} aria-label={t('crumbs')}>
        {crumbs.map(({ label, link }, index) => (
          <Fragment key={label}>
            {index > 0 && <IconChevronRight size={14} stroke={2} aria-hidden />}
            {link !== undefined && index < crumbs.length - 1 ? (
              <Link {...(link as LinkProps)} activeOptions={{ exact: true }} className={classes['crumb']}>
                {label}
              </Link>
            ) : (
              <span className={classes['crumb']} aria-current={index === crumbs.length - 1 ? 'page' : undefined} title={label}>
                {label}
              </span>
            )}
          </Fragment>
        ))}
      </nav>
      <div className={classes['right']}>
        <SearchButton />
        <LocaleMenu onSwitched={(locale) => update.mutate({ locale })} />
        <AccountMenu />
      </div>
    </header>
  )
}
