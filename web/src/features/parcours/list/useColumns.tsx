import { useMemo } from 'react'
import type { ParcoursRow } from '@/api/types'
import { useTranslation, type Translate } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { ClosedBadge, OwnerBadge, PublicationBadge } from '@/records/badge/record-badges'
import { ChannelStates } from '@/records/badge/ChannelStates'
import { useVocabulary } from '@/records/form/vocabulary'
import { textOf } from '@/ui/format'
import { RowLink, type Column } from '@/records/list/ResourceList'
import { Glyph } from '@/records/ribbon/Ribbon'
import { factsOf } from './facts'
import classes from './list.module.css'
import { ReliabilityCell } from './ReliabilityCell'

/** The state of the parcours on each channel. */
const passport = (t: Translate<'parcours'>): Column<ParcoursRow> => ({
  key: 'passport',
  header: t('column.passport'),
  width: '112px',
  phone: 'hidden',
  render: ({ passport }) => (passport === undefined ? <span className="faint">–</span> : <ChannelStates states={passport} />),
})

/** The columns: shape and name, reliability, state. */
export function useColumns(): Column<ParcoursRow>[] {
  const { t } = useTranslation('parcours')
  const { nameOf } = useVocabulary('practice_type')
  return useMemo(
    () => [
      {
        key: 'title',
        header: t('column.title'),
        sort: 'title',
        phone: 'main',
        render: (row) => (
          <span className={classes['name']}>
            <Glyph path={row.glyph} source={row.reliability_state === 'source'} />
            <span className={classes['words']}>
              <span className={classes['title']}>
                <RowLink link={{ to: '/parcours/$id', params: { id: String(row.id) } }} title={textOf(row.title)}>
                  {textOf(row.title)}
                </RowLink>
              </span>
              <span className={classes['facts']}>
                <span>{factsOf(row, nameOf(row.practice_type_id)) || t('fact.nothing')}</span>
                {!row.mine && <OwnerBadge name={row.white_label.name} />}
                {row.relation === 'model_only' && <Badge tone="info">{t('fact.model')}</Badge>}
              </span>
            </span>
          </span>
        ),
      },
      {
        key: 'reliability',
        header: t('column.reliability'),
        sort: 'reliability',
        width: '128px',
        render: (row) => <ReliabilityCell row={row} />,
      },
      passport(t),
      {
        key: 'status',
        header: t('column.status'),
        width: '136px',
        render: (row) => (
          <span className={classes['status']}>
            <PublicationBadge record={row} />
            {row.closed && <ClosedBadge />}
            {row.progress_status !== null && <Badge tone="info">{t(`progress.${row.progress_status}`)}</Badge>}
          </span>
        ),
      },
    ],
    [t, nameOf],
  )
}
