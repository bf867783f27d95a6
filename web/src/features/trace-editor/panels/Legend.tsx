import { useId } from 'react'
import { useTranslation } from '@/i18n'
import { useEditorState } from '../editor/context'
import { shownGapsOf, shownUnjudgedOf } from '../editor/shown'
import { present } from '../editor/state'
import classes from './tools.module.css'

/** Only the lines that are there. */
export function Legend() {
  const { t } = useTranslation('trace')
  const hatch = useId()
  const mode = useEditorState((state) => present(state).mode)
  const empty = useEditorState((state) => present(state).legs.length === 0)
  const source = useEditorState(
    (state) => mode === 'source' || (state.layers.source && present(state).legs.some((leg) => leg.kind === 'source')),
  )
  const gaps = useEditorState((state) => shownGapsOf(state).length > 0 || present(state).legs.some((leg) => leg.kind === 'free'))
  const holes = useEditorState((state) => shownUnjudgedOf(state).some(({ cause }) => cause !== 'outside_extract'))
  const beyond = useEditorState((state) => shownUnjudgedOf(state).some(({ cause }) => cause === 'outside_extract'))
  if (empty) return null
  return (
    <ul className={classes['legend']} aria-label={t('legend.label')}>
      {mode === 'planner' && (
        <li>
          <svg width="28" height="10" aria-hidden="true">
            <path d="M3 5h22" stroke="var(--t-planned)" strokeWidth="5" strokeLinecap="round" />
          </svg>
          {t('legend.planned')}
        </li>
      )}
      {source && (
        <li>
          <svg width="28" height="10" aria-hidden="true">
            <path d="M2 5h26" stroke="var(--t-source)" strokeWidth="3" strokeDasharray=".1 5.5" strokeLinecap="round" />
          </svg>
          {t('legend.source')}
        </li>
      )}
      {gaps && (
        <li>
          <svg width="28" height="10" aria-hidden="true">
            <defs>
              <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                <rect width="5" height="5" fill="var(--t-gap)" />
                <rect width="1.6" height="5" fill="var(--t-case)" />
              </pattern>
            </defs>
            <rect y="1" width="28" height="8" fill={`url(#${hatch})`} />
          </svg>
          {t('legend.off_network')}
        </li>
      )}
      {(['holes', 'beyond'] as const)
        .filter((kind) => (kind === 'holes' ? holes : beyond))
        .map((kind) => (
          <li key={kind}>
            <svg width="28" height="10" aria-hidden="true">
              <path d="M3 5h24" stroke="var(--t-hole)" strokeWidth="4" strokeDasharray=".1 7" strokeLinecap="round" />
            </svg>
            {t(kind === 'holes' ? 'legend.unjudged' : 'legend.outside')}
          </li>
        ))}
    </ul>
  )
}
