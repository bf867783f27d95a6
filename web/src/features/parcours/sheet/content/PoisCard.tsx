import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useContext, useState } from 'react'
import { api, unwrap } from '@/api/client'
import { resourceApi } from '@/api/resource'
import type { Poi } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Count } from '@/ui/badge/Badge'
import { Button, IconButton } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { FieldError } from '@/ui/field/Field'
import { useField } from '@/records/form/form-context'
import { ReadOnlyContext } from '@/records/form/read-only'
import { format, textOf } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import { RecordPicker } from '@/records/picker/RecordPicker'
import { useSheet } from '../context'
import classes from './content.module.css'

/** The points of interest of the parcours, in their order: added by name or as suggested along the trace. */
export function PoisCard() {
  const { t } = useTranslation('sheet')
  const readOnly = useContext(ReadOnlyContext)
  const { value: ids, set, error } = useField<number[]>('poi_ids')
  const [announcement, announce] = useState('')
  const [suggesting, setSuggesting] = useState(false)
  const known = useQuery({
    queryKey: ['poi', 'list', 'ids', ids.toSorted((a, b) => a - b)],
    queryFn: () => resourceApi<Poi>('/api/v1/pois').list({ ids: ids.join(','), owner: 'all', per_page: 200 }),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  })
  const nameOf = (id: number) => {
    const found = known.data?.items.find((poi) => poi.id === id)
    return found === undefined ? t('pois.number', { id }) : textOf(found.title)
  }
  const move = (from: number, to: number) => {
    const next = [...ids]
    const [one] = next.splice(from, 1)
    if (one === undefined || to < 0 || to > next.length) return
    next.splice(to, 0, one)
    set(next)
    announce(t('pois.moved', { name: nameOf(one), place: to + 1, total: ids.length }))
  }
  const add = (id: number) => !ids.includes(id) && set([...ids, id])
  const icon = { size: 16, stroke: 1.75, 'aria-hidden': true }
  return (
    <Card
      title={
        <>
          {t('pois.title')} <Count>{ids.length}</Count>
        </>
      }
    >
      <div className={classes['stack']} data-field="poi_ids">
        <p className="visually-hidden" role="status">
          {announcement}
        </p>
        {ids.length === 0 && <p className="muted">{t('pois.none')}</p>}
        <ol className={classes['list']}>
          {ids.map((id, index) => (
            <li key={id}>
              <Link to="/pois/$id" params={{ id: String(id) }}>
                {nameOf(id)}
              </Link>
              {!readOnly && (
                <span className={classes['tools']}>
                  <IconButton
                    size="small"
                    look="ghost"
                    label={t('pois.up', { name: nameOf(id) })}
                    disabledReason={index === 0 ? t('common:media.isFirst') : undefined}
                    icon={<IconArrowUp {...icon} />}
                    onClick={() => move(index, index - 1)}
                  />
                  <IconButton
                    size="small"
                    look="ghost"
                    label={t('pois.down', { name: nameOf(id) })}
                    disabledReason={index === ids.length - 1 ? t('common:media.isLast') : undefined}
                    icon={<IconArrowDown {...icon} />}
                    onClick={() => move(index, index + 1)}
                  />
                  <IconButton
                    size="small"
                    look="ghost"
                    label={t('pois.remove', { name: nameOf(id) })}
                    icon={<IconX {...icon} />}
                    onClick={() => set(ids.filter((other) => other !== id))}
                  />
                </span>
              )}
            </li>
          ))}
        </ol>
        {!readOnly && (
          <>
            <RecordPicker
              key={ids.length}
              label={t('pois.add')}
              base="/api/v1/pois"
              queryKey={['poi']}
              value={null}
              onChange={(id) => id !== null && add(id)}
            />
            {suggesting ? (
              <Suggestions ids={ids} onAdd={add} />
            ) : (
              <span>
                <Button size="small" onClick={() => setSuggesting(true)}>
                  {t('pois.suggest')}
                </Button>
              </span>
            )}
          </>
        )}
        <FieldError error={error} />
      </div>
    </Card>
  )
}

/** POIs along the trace that are not in the list yet, in walking order. */
function Suggestions({ ids, onAdd }: { ids: readonly number[]; onAdd: (id: number) => void }) {
  const { t } = useTranslation('sheet')
  const { parcours } = useSheet()
  const found = useQuery({
    queryKey: ['parcours', parcours.id, 'poi-suggestions', parcours.trace?.revision ?? null],
    queryFn: () =>
      unwrap(api.GET('/api/v1/parcours/{id}/pois/suggestions', { params: { path: { id: parcours.id } } })).then(({ items }) => items),
  })
  if (found.error) return <Banner tone="danger">{problemText(found.error)}</Banner>
  if (found.data === undefined) return <p className="muted">{t('pois.looking')}</p>
  const left = found.data.filter(({ poi }) => !ids.includes(poi.id))
  if (left.length === 0) return <p className="muted">{t('pois.noSuggestion')}</p>
  return (
    <ul className={classes['list']} aria-label={t('pois.suggestions')}>
      {left.map(({ poi, at_m: at, offset_m: offset }) => (
        <li key={poi.id}>
          <span>
            {textOf(poi.title)} <span className="small muted">{t('pois.where', { at: format.km(at), offset: format.metres(offset) })}</span>
          </span>
          <span className={classes['tools']}>
            <IconButton
              size="small"
              look="ghost"
              label={t('pois.addOne', { name: textOf(poi.title) })}
              icon={<IconPlus size={16} stroke={1.75} aria-hidden />}
              onClick={() => onAdd(poi.id)}
            />
          </span>
        </li>
      ))}
    </ul>
  )
}
