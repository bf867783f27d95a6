import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useContext, useState } from 'react'
import type { AudioStop, AudioWalkView } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Count } from '@/ui/badge/Badge'
import { Button } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { FieldError } from '@/ui/field/Field'
import { SelectInput } from '@/ui/field/inputs'
import { useField } from '@/records/form/form-context'
import { ReadOnlyContext } from '@/records/form/read-only'
import { textOf } from '@/ui/format'
import { moved } from '@/ui/list/order'
import { measure } from '@/records/map/line'
import { useSheet } from '../context'
import classes from './audio.module.css'
import { StopFields } from './StopFields'
import { StopRow } from './StopRow'
import { alongM, lineOf, newStop, stopAt } from './walk'

interface Props {
  view: AudioWalkView
  chosen: number
  choose: (index: number) => void
}

/** The stops in their order, and under them the settings of the chosen one. */
export function StopsCard({ view, chosen, choose }: Props) {
  const { t } = useTranslation('audioWalk')
  const { parcours, trace, openTab } = useSheet()
  const readOnly = useContext(ReadOnlyContext)
  const { value: stops, set, error } = useField<AudioStop[]>('stops')
  const [announcement, announce] = useState('')
  const line = measure(lineOf(trace))
  const nameOf = (stop: AudioStop, index: number) => (stop.title === '' ? t('stops.unnamed', { place: index + 1 }) : stop.title)
  const move = (from: number, to: number) => {
    const stop = stops[from]
    if (stop === undefined || to < 0 || to >= stops.length) return
    set(moved(stops, from, to))
    choose(to)
    announce(t('stops.moved', { name: nameOf(stop, from), place: to + 1, count: stops.length }))
  }
  const put = (stop: AudioStop, index: number) => {
    set(stops.toSpliced(index, 0, stop))
    choose(index)
    announce(t('stops.added', { place: index + 1 }))
  }
  const add = () => {
    const stop = newStop(line, stops, Math.min(chosen, stops.length - 1))
    if (stop) put(stop, stops.length === 0 ? 0 : Math.min(chosen, stops.length - 1) + 1)
  }
  const addStep = (id: string | null) => {
    const step = parcours.steps.find((one) => String(one.id) === id)
    if (step === undefined) return
    const at = alongM(line, [step.position[0], step.position[1]])
    const after = stops.findIndex((stop) => alongM(line, stop.position) > at)
    put(
      stopAt(
        [step.position[0], step.position[1]],
        step.title[view.language] ?? textOf(step.title, ''),
        step.description[view.language] ?? '',
      ),
      after === -1 ? stops.length : after,
    )
  }
  const remove = () => {
    set(stops.toSpliced(chosen, 1))
    choose(Math.max(0, chosen - 1))
    announce(t('stops.removed', { place: chosen + 1 }))
  }
  const noTrace = line.points.length < 2
  const stop = stops[chosen]
  return (
    <Card
      title={
        <>
          {t('stops.title')} <Count>{stops.length}</Count>
        </>
      }
      flush
    >
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      <div data-field="stops">
        {noTrace && stops.length === 0 ? (
          <EmptyState
            title={t('stops.noTrace')}
            text={t('stops.noTraceText')}
            actions={<Button onClick={() => openTab('itinerary')}>{t('stops.toTrace')}</Button>}
          />
        ) : (
          <>
            {stops.length === 0 ? (
              <p className={classes['hint']}>{t('stops.none')}</p>
            ) : (
              !readOnly && <p className={classes['hint']}>{t('stops.hint')}</p>
            )}
            <ol className={classes['list']}>
              {stops.map((one, index) => (
                <StopRow
                  // New ones have no number yet: their place identifies them.
                  key={one.id === 0 ? `new-${index}` : one.id}
                  index={index}
                  name={nameOf(one, index)}
                  sound={view.sounds.find(({ story }) => one.id !== 0 && story === `stop/${one.id}`)}
                  met={view.on_trace.find(({ id }) => one.id !== 0 && id === one.id)}
                  chosen={index === chosen}
                  readOnly={readOnly}
                  last={index === stops.length - 1}
                  onChoose={() => choose(index)}
                  onMove={(to) => move(index, to)}
                  onTake={(from) => move(from, index)}
                />
              ))}
            </ol>
            {!readOnly && !noTrace && (
              <div className={classes['add']}>
                <Button size="small" icon={<IconPlus size={16} stroke={1.75} aria-hidden />} onClick={add}>
                  {t('stops.add')}
                </Button>
                {parcours.steps.length > 0 && (
                  <SelectInput
                    aria-label={t('stops.addStep')}
                    value={null}
                    empty={t('stops.addStep')}
                    choices={parcours.steps.map((step, index) => ({
                      value: String(step.id),
                      label: textOf(step.title, t('stops.step', { place: index + 1 })),
                    }))}
                    onChange={addStep}
                  />
                )}
              </div>
            )}
          </>
        )}
        <FieldError error={error !== undefined && stop === undefined ? error : undefined} />
      </div>
      {stop !== undefined && (
        <StopFields
          key={`${chosen} ${stop.id}`}
          index={chosen}
          stop={stop}
          name={nameOf(stop, chosen)}
          view={view}
          onRemove={readOnly ? undefined : remove}
        />
      )}
    </Card>
  )
}
