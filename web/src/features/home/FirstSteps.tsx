import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useTranslation } from '@/i18n'
import { payload } from '@/api/payload'
import { useMe } from '@/api/session'
import { IconButton } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import classes from './home.module.css'
import { dashboardQuery } from './queries'

/** The three first steps, until they are done or put away; each leads to its place. */
export function FirstSteps() {
  const { t } = useTranslation('home')
  const me = useMe()
  const [closed, setClosed] = useLocalStorage({ key: `jalon.firstSteps.${me.id}`, defaultValue: false, getInitialValueInEffect: false })
  const done = useQuery(dashboardQuery).data?.checklist
  if (closed || done === undefined) return null
  const threshold = payload().reliability_threshold
  const steps: { key: 'import' | 'reach' | 'publish'; done: boolean; link: Pick<LinkProps, 'to' | 'search'> }[] = [
    { key: 'import', done: done.import, link: { to: '/parcours/new', search: { from: 'file' } } },
    { key: 'reach', done: done.reliability, link: { to: '/parcours', search: { reliability_below: '95', owner: 'mine' } } },
    { key: 'publish', done: done.published, link: { to: '/parcours', search: { published: 'false', owner: 'mine' } } },
  ]
  if (steps.every((step) => step.done)) return null
  return (
    <Card
      title={t('steps.title')}
      aside={
        <IconButton
          size="small"
          look="ghost"
          label={t('steps.close')}
          icon={<IconX size={16} stroke={2} aria-hidden />}
          onClick={() => setClosed(true)}
        />
      }
    >
      <ol className={classes['steps']}>
        {steps.map(({ key, done: isDone, link }, index) => (
          <li key={key} data-done={isDone || undefined}>
            <span className={classes['stepMark']} aria-hidden="true">
              {isDone ? <IconCheck size={16} stroke={2.5} /> : index + 1}
            </span>
            <span>
              <Link {...(link as LinkProps)}>{t(`steps.${key}.title`, { threshold })}</Link>
              {isDone && <span className="visually-hidden"> ({t('steps.done')})</span>}
              <span className="small muted">{t(`steps.${key}.text`)}</span>
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}
