import { type PointerEvent, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from '@/i18n'
import { Ribbon } from '@/records/ribbon/Ribbon'
import { useEditorState } from '../editor/context'
import { shownMeasured } from '../editor/shown'
import { isWayTool, present } from '../editor/state'
import { GuidancePanel, PanelSkeleton, WaysPanel } from './lazy-panels'
import { Notices } from './Notices'
import { PanelTabs } from './PanelTabs'
import { ModeChoice } from './TopBar'
import { ProfileChoice } from './ProfileChoice'
import { ProfilePanel, useStretches } from './ProfilePanel'
import { ReliabilityPanel } from './ReliabilityPanel'
import { StepsPanel } from './StepsPanel'
import classes from './sheet.module.css'

const tabs = ['steps', 'guidance', 'reliability', 'profile'] as const
type Tab = (typeof tabs)[number]
/** Shares of the height of the screen. */
export const sheetSizes = { small: 25, half: 56, full: 92 } as const
export type SheetSize = keyof typeof sheetSizes
const order: readonly SheetSize[] = ['small', 'half', 'full']

/** On a phone the panels are a sheet over the map, of three heights. */
export function PhoneSheet({ onShortcuts, size, onSize }: { onShortcuts: () => void; size: SheetSize; onSize: (size: SheetSize) => void }) {
  const { t } = useTranslation('trace')
  const [tab, setTab] = useState<Tab>('steps')
  const [pulled, setPulled] = useState<number | null>(null)
  const start = useRef<number | null>(null)
  const planning = useEditorState((state) => isWayTool(state.tool))
  // A step that was just placed is named there, in sight.
  const naming = useEditorState((state) => state.naming?.key ?? null)
  const [named, setNamed] = useState(naming)
  if (naming !== named) {
    setNamed(naming)
    if (naming !== null) setTab('steps')
  }
  useEffect(() => {
    if (naming !== null && size === 'small') onSize('half')
    // Once for each step: the sheet may be made small again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [naming])

  const onPointerMove = (event: PointerEvent) => {
    if (start.current !== null) setPulled(Math.min(92, Math.max(12, 100 - (100 * event.clientY) / window.innerHeight)))
  }
  const onPointerUp = () => {
    if (pulled !== null) onSize(order.toSorted((a, b) => Math.abs(sheetSizes[a] - pulled) - Math.abs(sheetSizes[b] - pulled))[0] ?? 'half')
    else onSize(size === 'half' ? 'full' : 'half')
    start.current = null
    setPulled(null)
  }
  return (
    <section
      className={classes['sheet']}
      aria-label={t('sheet.label')}
      style={{ height: `${pulled ?? sheetSizes[size]}dvh` }}
      data-pulled={pulled !== null || undefined}
    >
      <button
        type="button"
        className={classes['handle']}
        aria-label={t('sheet.handle', { size: t(`sheet.${size}`) })}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          start.current = event.clientY
        }}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onKeyDown={(event) => {
          const rank = order.indexOf(size)
          const next = {
            ArrowUp: order[rank + 1],
            ArrowDown: order[rank - 1],
            Enter: order[(rank + 1) % order.length],
            ' ': order[(rank + 1) % order.length],
          }[event.key]
          if (!next) return
          event.preventDefault()
          onSize(next)
        }}
      />
      {!planning && (
        <PanelTabs
          label={t('sheet.label')}
          id="sheet-panel"
          tab={tab}
          onTab={setTab}
          tabs={tabs.map((key) => ({ key, label: t(`sheet.${key}`) }))}
        />
      )}
      <div
        id="sheet-panel"
        className={classes['body']}
        {...(planning ? {} : { role: 'tabpanel', 'aria-labelledby': `sheet-panel-${tab}` })}
        tabIndex={-1}
      >
        <div className={classes['notices']}>
          <Notices narrow />
        </div>
        {planning ? (
          <Suspense fallback={<PanelSkeleton />}>
            <WaysPanel />
          </Suspense>
        ) : (
          <>
            {tab === 'steps' && <StepsPanel onShortcuts={onShortcuts} narrow />}
            {tab === 'guidance' && (
              <Suspense fallback={<PanelSkeleton />}>
                <GuidancePanel onReliability={() => setTab('reliability')} />
              </Suspense>
            )}
            {tab === 'reliability' && <Reliability />}
            {tab === 'profile' && <Profile />}
          </>
        )}
      </div>
    </section>
  )
}

function Reliability() {
  const stretches = useStretches()
  const source = useEditorState((state) => present(state).mode === 'source')
  const length = useEditorState((state) => shownMeasured(state).lengthM)
  return (
    <>
      {length > 0 && (
        <div className={classes['ribbon']}>
          <Ribbon stretches={stretches} source={source} size="sheet" lengthM={length} />
        </div>
      )}
      <ReliabilityPanel narrow />
    </>
  )
}

function Profile() {
  return (
    <>
      <ProfilePanel height={150} />
      <div className={classes['choices']}>
        <ModeChoice />
        <ProfileChoice wide />
      </div>
    </>
  )
}
