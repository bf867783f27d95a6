import { Suspense, useState } from 'react'
import { useTranslation } from '@/i18n'
import { useEditorState } from '../editor/context'
import { isWayTool } from '../editor/state'
import { GuidancePanel, PanelSkeleton, WaysPanel } from './lazy-panels'
import { PanelTabs } from './PanelTabs'
import { StepsPanel } from './StepsPanel'
import classes from './tabs.module.css'

const tabs = ['steps', 'guidance'] as const

/** Left of the map: the steps, or the guidance; the planner's proposals while they are asked for. */
export function SidePanel({ onShortcuts }: { onShortcuts: () => void }) {
  const { t } = useTranslation('trace')
  const planning = useEditorState((state) => isWayTool(state.tool))
  const [tab, setTab] = useState<(typeof tabs)[number]>('steps')
  // A step that was just placed is named there.
  const naming = useEditorState((state) => state.naming?.key ?? null)
  const [named, setNamed] = useState(naming)
  if (naming !== named) {
    setNamed(naming)
    if (naming !== null) setTab('steps')
  }
  if (planning) {
    return (
      <Suspense fallback={<PanelSkeleton />}>
        <WaysPanel />
      </Suspense>
    )
  }
  return (
    <>
      <PanelTabs
        label={t('sheet.side')}
        id="side-panel"
        tab={tab}
        onTab={setTab}
        tabs={tabs.map((key) => ({ key, label: t(`sheet.${key}`) }))}
      />
      <div id="side-panel" className={classes['panel']} role="tabpanel" aria-labelledby={`side-panel-${tab}`} tabIndex={-1}>
        {tab === 'steps' ? (
          <StepsPanel onShortcuts={onShortcuts} />
        ) : (
          <Suspense fallback={<PanelSkeleton />}>
            <GuidancePanel />
          </Suspense>
        )}
      </div>
    </>
  )
}
