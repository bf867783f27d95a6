import { useState } from 'react'
import { useCan } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { format } from '@/ui/format'
import type { Statistics, StoreFigures } from '@/api/types'
import { pointName } from './CurveCard'
import { Curve } from './Curve'
import { Delta } from './Delta'
import { ReportDialog } from './ReportDialog'
import classes from './statistics.module.css'

/** The figures of the app stores. */
export function Apps({ data, whiteLabel }: { data: Statistics; whiteLabel: number }) {
  const { t } = useTranslation('statistics')
  const mayImport = useCan('content.import')
  const [opened, setOpened] = useState(false)
  const aside = (
    <Button size="small" disabledReason={mayImport ? undefined : t('apps.notAllowed')} onClick={() => setOpened(true)}>
      {t('apps.import')}
    </Button>
  )
  return (
    <Card title={t('apps.title')} aside={aside}>
      {data.installs.length === 0 ? <p className="muted">{t('apps.none')}</p> : <Stores data={data} />}
      {mayImport && <ReportDialog opened={opened} onClose={() => setOpened(false)} whiteLabel={whiteLabel} />}
    </Card>
  )
}

function Stores({ data }: { data: Statistics }) {
  const { t } = useTranslation('statistics')
  const figure = (now: number, before: number) => (
    <td className="num">
      {format.number(now)} <Delta now={now} before={before} />
    </td>
  )
  return (
    <>
      <table className={classes['table']}>
        <caption className="visually-hidden">{t('apps.title')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('apps.store')}</th>
            <th scope="col">{t('apps.installs')}</th>
            <th scope="col">{t('apps.uninstalls')}</th>
          </tr>
        </thead>
        <tbody>
          {data.installs.map((store) => (
            <tr key={store.store}>
              <th scope="row">{t(`apps.${store.store}`)}</th>
              {figure(store.installs, store.installs_before)}
              {figure(store.uninstalls, store.uninstalls_before)}
            </tr>
          ))}
        </tbody>
      </table>
      <div className={classes['grid']}>
        {data.installs.map((store) => (
          <figure key={store.store}>
            <figcaption className="small muted">{`${t(`apps.${store.store}`)} · ${t('apps.installs')}`}</figcaption>
            <Curve label={`${t(`apps.${store.store}`)} · ${t('apps.installs')}`} points={curveOf(store, data)} />
          </figure>
        ))}
      </div>
    </>
  )
}

const curveOf = (store: StoreFigures, { points, bucket }: Statistics) =>
  points.map(({ from }, rank) => ({ name: pointName(from, bucket), now: store.points[rank] ?? 0, before: null }))
