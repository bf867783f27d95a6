import { useTranslation } from '@/i18n'
import { useMe } from '@/api/session'
import { useOpening } from '@/ui/menu/useOpening'
import { prefetch } from '@/ui/prefetch'
import classes from './TopBar.module.css'

const read = prefetch(() => import('./AccountPanel'))

const initials = (first: string, last: string) => `${first.charAt(0)}${last.charAt(0)}`.toUpperCase()

/** The signed-in user; the panel of the button is fetched after the page. */
export function AccountMenu() {
  const { t } = useTranslation('shell')
  const me = useMe()
  const name = `${me.first_name} ${me.last_name}`
  const short = initials(me.first_name, me.last_name)
  const label = t('account.open', { name })
  const { module, button, opening } = useOpening(
    read,
    'dialog',
    <button type="button" className={classes['avatar']} aria-label={`${short}, ${label}`} title={name}>
      {short}
    </button>,
  )
  return (
    <>
      {button}
      {module && <module.default label={label} opening={opening} />}
    </>
  )
}
