import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import IconPlayerSkipForward from '@tabler/icons-react/dist/esm/icons/IconPlayerSkipForward.mjs'
import IconRotate from '@tabler/icons-react/dist/esm/icons/IconRotate.mjs'
import { useId, useState } from 'react'
import type { AudioWalkView } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { Segments } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import classes from './audio.module.css'
import { fasters, goings, useSimulation, type Faster } from './useSimulation'

/** A simulated walk: on the map, at walking or cycling speed, with the sounds. */
export function SimulationCard({ view }: { view: AudioWalkView }) {
  return view.trace_m !== null && view.version > 0 && view.walk.stops.length > 0 ? <Simulation view={view} /> : null
}

function Simulation({ view }: { view: AudioWalkView }) {
  const { t } = useTranslation('audioWalk')
  const [going, setGoing] = useState(view.walk.going)
  const [faster, setFaster] = useState<Faster>('10')
  const simulation = useSimulation(view, going, Number(faster))
  const { sim, playing, audio } = simulation
  const place = useId()
  const nameOf = (story: string) => {
    if (story === 'intro' || story === 'outro') return t(`walk.${story}`)
    const index = view.walk.stops.findIndex(({ id }) => story === `stop/${id}`)
    const title = view.walk.stops[index]?.title ?? ''
    return title === '' ? t('stops.unnamed', { place: index + 1 }) : title
  }
  const length = view.trace_m ?? 0
  const sentence = sim.over
    ? t('sim.over')
    : sim.hearing !== null
      ? t('sim.hearing', { name: nameOf(sim.hearing) })
      : sim.silent !== null
        ? t('sim.silent', { name: nameOf(sim.silent) })
        : playing
          ? t('sim.walking')
          : t('sim.stopped')
  const icon = { size: 18, stroke: 1.75, 'aria-hidden': true }
  return (
    <Card title={t('sim.title')}>
      <div className={classes['sim']}>
        <p className="small muted">{t('sim.hint')}</p>
        <div className="row wrap">
          <Segments
            label={t('sim.going')}
            value={going}
            onChange={setGoing}
            choices={goings.map((value) => ({ value, label: t(`going.${value}`) }))}
          />
          <Segments
            label={t('sim.faster')}
            value={faster}
            onChange={setFaster}
            choices={fasters.map((value) => ({ value, label: `×${value}` }))}
          />
        </div>
        <div className="row wrap">
          <Button
            look="soft"
            icon={playing ? <IconPlayerPause {...icon} /> : <IconPlayerPlay {...icon} />}
            disabledReason={sim.over ? t('sim.over') : undefined}
            onClick={playing ? simulation.pause : simulation.play}
          >
            {t(playing ? 'sim.pause' : 'sim.play')}
          </Button>
          <Button
            icon={<IconPlayerSkipForward {...icon} />}
            disabledReason={sim.hearing === null && sim.waiting.length === 0 ? t('sim.nothingHeard') : undefined}
            onClick={simulation.skip}
          >
            {t('sim.skip')}
          </Button>
          <Button icon={<IconRotate {...icon} />} onClick={simulation.restart}>
            {t('sim.restart')}
          </Button>
        </div>
        <label htmlFor={place} className="small">
          {t('sim.place')} <span className="num">{t('sim.of', { at: format.km(sim.atM, 2), length: format.km(length, 2) })}</span>
        </label>
        <input
          id={place}
          type="range"
          className={classes['range']}
          min={0}
          max={Math.round(length)}
          step={10}
          value={Math.round(sim.atM)}
          aria-valuetext={format.km(sim.atM, 2)}
          onChange={({ target }) => simulation.goTo(Number(target.value))}
        />
        <p role="status" className={classes['statusText']} data-hearing={sim.hearing ?? undefined}>
          {sentence}
        </p>
        {sim.waiting.length > 0 && sim.hearing !== null && (
          <p className="small muted">{t('sim.waiting', { names: format.list(sim.waiting.map(nameOf)) })}</p>
        )}
        {/* The list of stops has the text of the sound. */}
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
        <audio ref={audio} controls preload="none" aria-label={t('sim.player')} />
      </div>
    </Card>
  )
}
