import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '@/i18n'
import { Card } from '@/ui/Card'
import { format } from '@/ui/format'
import classes from './home.module.css'
import { latestQuery, publishedQuery } from './queries'

/** How much there is; each number opens the list it counts. */
export function Counts() {
  const { t } = useTranslation('home')
  const { data: mine } = useQuery(latestQuery)
  const { data: published } = useQuery(publishedQuery)
  const figures = [
    { key: 'mine', value: mine?.counts.mine, search: { owner: 'mine' } },
    { key: 'published', value: published?.total, search: { owner: 'mine', published: 'true' } },
    { key: 'shared', value: mine?.counts.shared, search: { owner: 'shared' } },
  ] as const
  return (
    <Card flush title={t('counts.title')}>
      <ul className={classes['figures']}>
        {figures.map(({ key, value, search }) => (
          <li key={key}>
            <Link to="/parcours" search={search as never}>
              <span className={classes['figure']}>{value === undefined ? '–' : format.number(value)}</span>
              <span className="small">{t(`counts.${key}`, { count: value ?? 0 })}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
