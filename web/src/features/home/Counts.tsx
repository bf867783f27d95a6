import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '@/i18n'
import { Card } from '@/ui/Card'
import { format } from '@/ui/format'
import classes from './home.module.css'
import { dashboardQuery } from './queries'

const figures = [
  { key: 'parcours', to: '/parcours', search: { owner: 'mine', progress: 'any' } },
  { key: 'pois', to: '/pois', search: { owner: 'mine' } },
  { key: 'medias', to: '/medias', search: { owner: 'mine' } },
] as const

/** The numbers of records; each number opens the list it counts. */
export function Counts() {
  const { t } = useTranslation('home')
  const counts = useQuery(dashboardQuery).data?.counts
  return (
    <Card flush title={t('counts.title')}>
      <ul className={classes['figures']}>
        {figures.map(({ key, to, search }) => (
          <li key={key}>
            <Link to={to} search={search}>
              <span className={classes['figure']}>{counts === undefined ? '–' : format.number(counts[key])}</span>
              <span className="small">{t(`counts.${key}`, { count: counts?.[key] ?? 0 })}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
