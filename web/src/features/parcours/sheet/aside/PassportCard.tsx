import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconExclamationMark from '@tabler/icons-react/dist/esm/icons/IconExclamationMark.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useSyncExternalStore } from 'react'
import type { ChannelStamp, ChannelState } from '@/api/types'
import { payload } from '@/api/payload'
import { textFor, useTranslation } from '@/i18n'
import { Card } from '@/ui/Card'
import { pathOfPointer } from '@/records/form/paths'
import { useSheet } from '../context'
import type { SheetValues } from '../values'
import classes from './aside.module.css'

const marks: Record<ChannelState, typeof IconCheck> = { ready: IconCheck, to_check: IconExclamationMark, missing: IconX }

/** The five publication channels: whether the parcours is ready for each, and a link to the field of each missing value. */
export function PassportCard({ passport }: { passport: readonly ChannelStamp[] }) {
  const { t } = useTranslation('sheet')
  const ready = passport.filter(({ state }) => state === 'ready').length
  return (
    <Card
      title={t('passport.title')}
      aside={<span className={classes['share']}>{t('passport.share', { ready, all: passport.length })}</span>}
      flush
    >
      <ul>
        {passport.map((channel) => (
          <ChannelRow key={channel.channel} {...channel} />
        ))}
      </ul>
    </Card>
  )
}

function ChannelRow({ channel, state, lacks }: ChannelStamp) {
  const { t } = useTranslation('sheet')
  const { parcours } = useSheet()
  const Mark = marks[state]
  const name = channel === 'white_label' ? t('passport.onWhiteLabel', { name: parcours.white_label.name }) : t(`common:channel.${channel}`)
  const missing = lacks.filter(({ severity }) => severity === 'missing').length
  return (
    <li className={classes['channel']}>
      <span className={classes['mark']} data-state={state}>
        <Mark size={15} stroke={2.2} aria-hidden />
      </span>
      <div>
        <span className={classes['channelHead']}>
          <strong>{name}</strong>
          <span data-state={state}>
            {state === 'missing' && missing > 0 ? t('passport.lacks', { count: missing }) : t(`common:channelState.${state}`)}
          </span>
        </span>
        {lacks.length > 0 && (
          <ul className={classes['lacks']}>
            {lacks.map(({ code, field }) => (
              <Lack key={`${code} ${field ?? ''}`} code={code} field={field} />
            ))}
          </ul>
        )}
      </div>
    </li>
  )
}

const texts = ['title', 'summary', 'description'] as const

/** The first English text that is not written yet. */
const untranslated = (values: SheetValues): string => `${texts.find((name) => (values[name]['en'] ?? '').trim() === '') ?? 'title'}.en`

function Lack({ code, field }: { code: string; field: string | null }) {
  const { t } = useTranslation('sheet')
  const { parcours, form, goTo, openTab } = useSheet()
  const path = code === 'no_english' ? untranslated(form.store.values) : field === null || field === '' ? null : pathOfPointer(field)
  const touched = useSyncExternalStore(form.store.subscribe, () => path !== null && form.store.isDirty(path))
  const words = textFor(`common:lack.${code}`, { threshold: payload().reliability_threshold }) ?? code
  const go = () => (path === null || path.startsWith('trace') ? openTab('itinerary') : goTo(path))
  return (
    <li>
      <IconArrowRight size={15} stroke={1.75} aria-hidden />
      <span>
        {parcours.editable ? (
          <button type="button" className={classes['lack']} onClick={go}>
            {words}
          </button>
        ) : (
          words
        )}
        {touched && <small className="muted"> {t('passport.touched')}</small>}
      </span>
    </li>
  )
}
