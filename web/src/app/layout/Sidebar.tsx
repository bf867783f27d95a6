import IconLayoutSidebarLeftCollapse from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftCollapse.mjs'
import IconLayoutSidebarLeftExpand from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftExpand.mjs'
import { Link, useRouterState } from '@tanstack/react-router'
import { useTranslation } from '@/i18n'
import { Pole } from '@/ui/Brand'
import { areas, helpArea, isInside, type Area } from './areas'
import classes from './Sidebar.module.css'
import { WhiteLabelSwitcher } from './WhiteLabelSwitcher'

/** The link of an area. */
export function AreaLink({ area, onGo }: { area: Area; onGo?: () => void }) {
  const { t } = useTranslation('shell')
  const path = useRouterState({ select: (state) => state.location.pathname })
  const Mark = area.icon
  const name = t(`nav.${area.key}`)
  const here = isInside(path, area.to)
  return (
    <Link
      to={area.to}
      className={classes['item']}
      aria-current={here ? 'page' : undefined}
      data-here={here || undefined}
      title={name}
      onClick={onGo}
      activeProps={{}}
      inactiveProps={{}}
    >
      <Mark size={18} stroke={1.75} aria-hidden />
      <span className={classes['words']}>{name}</span>
    </Link>
  )
}

/** Every place, under its headings. */
export function AreaList({ onGo }: { onGo?: () => void }) {
  const { t } = useTranslation('shell')
  return areas.map(({ heading, items }) => (
    <div
      key={heading ?? 'first'}
      role={heading === undefined ? undefined : 'group'}
      aria-label={heading === undefined ? undefined : t(`nav.${heading}`)}
    >
      {heading !== undefined && (
        <div className={classes['heading']} aria-hidden="true">
          {t(`nav.${heading}`)}
        </div>
      )}
      {items.map((area) => (
        <AreaLink key={area.key} area={area} {...(onGo && { onGo })} />
      ))}
    </div>
  ))
}

/** The navigation of a wide screen: 208 px, or 56 when folded. */
export function Sidebar({ folded, onFold }: { folded: boolean; onFold: (folded: boolean) => void }) {
  const { t } = useTranslation('shell')
  const Fold = folded ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  return (
    <nav className={classes['side']} data-folded={folded || undefined} aria-label={t('nav.label')}>
      <Link to="/" className={classes['brand']} aria-label={t('nav.homeLink')}>
        <Pole />
        <span className={classes['words']}>Jalon</span>
      </Link>
      <WhiteLabelSwitcher compact={folded} />
      <div className={classes['places']}>
        <AreaList />
      </div>
      <div className={classes['foot']}>
        <AreaLink area={helpArea} />
        <button
          type="button"
          className={classes['item']}
          aria-expanded={!folded}
          onClick={() => onFold(!folded)}
          title={t(folded ? 'nav.unfold' : 'nav.fold')}
        >
          <Fold size={18} stroke={1.75} aria-hidden />
          <span className={classes['words']}>{t(folded ? 'nav.unfold' : 'nav.fold')}</span>
        </button>
      </div>
    </nav>
  )
}
