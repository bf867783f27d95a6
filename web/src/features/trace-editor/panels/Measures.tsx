import { Popover } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { NumberBox, unreadFault } from '@/ui/field/NumberBox'
import { format } from '@/ui/format'
import { profileName } from '@/records/parcours/planner-profile'
import { useEditor, useEditorState } from '../editor/context'
import { shownMeasured, toldLengthM } from '../editor/shown'
import { isFresh, present } from '../editor/state'
import { GroundFigure } from './lazy-panels'
import classes from './profile.module.css'

/** What the walker will do: each figure can be opened, distance and duration can be typed. */
export function Measures() {
  const { t } = useTranslation('trace')
  const distance = useEditorState(toldLengthM)
  const distanceTyped = useEditorState((state) => present(state).distance_typed_m)
  const durationTyped = useEditorState((state) => present(state).duration_typed_s)
  const figures = useEditorState((state) => state.analysed)
  const fresh = useEditorState(isFresh)
  // Below the threshold the line in use is not the planner's: the ground along it is not known.
  const onWays = useEditorState((state) => present(state).mode === 'planner' && state.analysed?.reliability_state === 'ok')
  const duration = durationTyped ?? figures?.duration_s ?? null
  return (
    <div
      className={`${classes['measures']} num`}
      role="group"
      aria-label={t('measures.label')}
      data-old={(!fresh && figures !== null) || undefined}
    >
      <How about="distance" typed={distanceTyped !== null} name={format.km(distance)} />
      <How
        about="duration"
        typed={durationTyped !== null}
        name={t('measures.duration')}
        value={duration === null ? '–' : format.duration(duration)}
      />
      {typeof figures?.ascent_m === 'number' && <How about="ascent" name={t('measures.ascent')} value={format.metres(figures.ascent_m)} />}
      {typeof figures?.descent_m === 'number' && (
        <How about="ascent" name={t('measures.descent')} value={format.metres(figures.descent_m)} />
      )}
      {typeof figures?.min_ele_m === 'number' && typeof figures.max_ele_m === 'number' && (
        <span className="muted">
          {t('measures.range', { min: format.number(Math.round(figures.min_ele_m)), max: format.metres(figures.max_ele_m) })}
        </span>
      )}
      {onWays && (
        <Suspense fallback={null}>
          <GroundFigure />
        </Suspense>
      )}
    </div>
  )
}

type About = 'distance' | 'duration' | 'ascent'

function How({ about, name, value, typed = false }: { about: About; name: string; value?: string; typed?: boolean }) {
  const { t } = useTranslation('trace')
  const [opened, setOpened] = useState(false)
  return (
    <Popover opened={opened} onChange={setOpened} width={300} position="top-start" shadow="md" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <button
          type="button"
          className={classes['figure']}
          aria-expanded={opened}
          aria-haspopup="dialog"
          onClick={() => setOpened(!opened)}
        >
          <span className={classes['explain']} data-alone={value === undefined || undefined}>
            {name}
          </span>
          {value !== undefined && <strong>{value}</strong>}
          {typed && <em>{t('measures.typed')}</em>}
        </button>
      </Popover.Target>
      <Popover.Dropdown className={classes['how']} aria-label={t('measures.how')}>
        <Explained about={about} />
        {about !== 'ascent' && <Typed about={about} onDone={() => setOpened(false)} />}
      </Popover.Dropdown>
    </Popover>
  )
}

function Explained({ about }: { about: About }) {
  const { t } = useTranslation('trace')
  const count = useEditorState((state) => shownMeasured(state).points.length)
  const profile = useEditorState((state) => present(state).profile)
  const engine = useEditorState((state) => state.trace?.engine ?? null)
  const day = useEditorState((state) => state.trace?.data_date ?? null)
  return (
    <>
      <p tabIndex={-1} data-autofocus>
        {about === 'distance' && t('measures.howDistance', { points: format.number(count) })}
        {about === 'duration' && t('measures.howDuration', { profile: profileName(profile) })}
        {about === 'ascent' && t('measures.howAscent')}
      </p>
      {engine && day && <p className="muted">{t('measures.howEngine', { engine, day: format.day(day) })}</p>}
    </>
  )
}

/** Another value than the computed one, and the way back to it. */
function Typed({ about, onDone }: { about: 'distance' | 'duration'; onDone: () => void }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const editable = useEditorState((state) => state.parcours.editable)
  const distance = useEditorState((state) => present(state).distance_typed_m)
  const duration = useEditorState((state) => present(state).duration_typed_s)
  const [km, setKm] = useState(distance === null ? null : distance / 1000)
  const [hours, setHours] = useState(duration === null ? null : Math.floor(duration / 3600))
  const [minutes, setMinutes] = useState(duration === null ? null : Math.round((duration % 3600) / 60))
  const [unread, setUnread] = useState<Record<string, string | null>>({})
  const noteUnread = (name: string) => (text: string | null) => setUnread((now) => ({ ...now, [name]: text }))
  if (!editable) return null
  const unreadText = Object.values(unread).find((text) => text !== null) ?? undefined
  const isDistance = about === 'distance'
  const typedS = hours === null && minutes === null ? null : (hours ?? 0) * 3600 + (minutes ?? 0) * 60
  const apply = (values: { distance_typed_m: number | null } | { duration_typed_s: number | null }) => {
    editor.act('typed', (revision) => ({ ...revision, ...values }), { id: 'changed' })
    onDone()
  }
  return (
    <form
      className={classes['typed']}
      onSubmit={(event) => {
        event.preventDefault()
        if (unreadText !== undefined) return
        apply(isDistance ? { distance_typed_m: km === null ? null : km * 1000 } : { duration_typed_s: typedS })
      }}
    >
      <h3>{t(isDistance ? 'measures.typeDistance' : 'measures.typeDuration')}</h3>
      {isDistance ? (
        <NumberBox label={t('measures.distanceKm')} value={km} onChange={setKm} onUnreadable={noteUnread('km')} decimals={2} unit="km" />
      ) : (
        <div className={classes['pair']}>
          <NumberBox label={t('measures.durationHours')} value={hours} onChange={setHours} onUnreadable={noteUnread('hours')} />
          <NumberBox label={t('measures.durationMinutes')} value={minutes} onChange={setMinutes} onUnreadable={noteUnread('minutes')} />
        </div>
      )}
      <div className="row wrap">
        <Button type="submit" size="small" disabledReason={unreadText === undefined ? undefined : unreadFault(unreadText)}>
          {t('measures.apply')}
        </Button>
        {(isDistance ? distance : duration) !== null && (
          <Button look="link" size="small" onClick={() => apply(isDistance ? { distance_typed_m: null } : { duration_typed_s: null })}>
            {t(isDistance ? 'measures.backDistance' : 'measures.backDuration')}
          </Button>
        )}
      </div>
    </form>
  )
}
