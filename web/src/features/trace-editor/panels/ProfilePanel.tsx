import { useMemo } from 'react'
import { useTranslation } from '@/i18n'
import type { RibbonPart } from '@/api/types'
import { ElevationProfile } from '@/records/profile/ElevationProfile'
import type { ProfileStretch } from '@/records/profile/stretches'
import { ProfileRibbon } from '@/records/profile/ProfileRibbon'
import { addOnLine, toWorking } from '../editor/actions'
import { useEditor, useEditorState } from '../editor/context'
import { shownGapsOf, shownMeasured, shownStepsOf, shownUnjudgedOf } from '../editor/shown'
import { present } from '../editor/state'
import { positionAt } from '@/records/map/line'
import { spans } from '../logic/revision'
import { Measures } from './Measures'
import classes from './profile.module.css'

/** Gaps, free stretches and holes as shares of the shown line, in order: what ruban and profile hatch. */
export function useStretches(): RibbonPart[] {
  const gaps = useEditorState(shownGapsOf)
  const holes = useEditorState(shownUnjudgedOf)
  const legs = useEditorState((state) => present(state).legs)
  const length = useEditorState((state) => shownMeasured(state).lengthM)
  return useMemo(() => {
    const share = (metres: number) => (length > 0 ? Math.min(1, Math.max(0, metres / length)) : 0)
    const all = spans(legs)
    const scale = length / Math.max(1, all.at(-1)?.to_m ?? 1)
    return [
      ...gaps
        .filter((gap) => !gap.kept)
        .map((gap): RibbonPart => ({ from: share(gap.shown.from_m), to: share(gap.shown.to_m), kind: 'off_network' })),
      ...all
        .filter((span) => span.leg.kind === 'free')
        .map((span): RibbonPart => ({ from: share(span.from_m * scale), to: share(span.to_m * scale), kind: 'off_network' })),
      ...holes.map((gap): RibbonPart => ({ from: share(gap.shown.from_m), to: share(gap.shown.to_m), kind: 'unjudged' })),
    ]
      .filter((stretch) => stretch.to > stretch.from)
      .toSorted((a, b) => a.from - b.from)
  }, [gaps, holes, legs, length])
}

/** Figures, elevation and ruban of the line: they share one cursor with the map and the list. */
export function ProfilePanel({ height = 92 }: { height?: number }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const measured = useEditorState(shownMeasured)
  const mode = useEditorState((state) => present(state).mode)
  const tool = useEditorState((state) => state.tool)
  const steps = useEditorState(shownStepsOf)
  const stretches = useStretches()
  const hatched = useMemo(
    () =>
      stretches.flatMap(({ from, to, kind }): ProfileStretch[] =>
        kind === 'planned' ? [] : [{ fromM: from * measured.lengthM, toM: to * measured.lengthM, kind }],
      ),
    [stretches, measured],
  )
  const marks = useMemo(() => steps.map(({ label, at_m }) => ({ atM: at_m, text: label })), [steps])
  const pick = (atM: number) => {
    const position = positionAt(measured, atM)
    if (tool === 'step' && position) addOnLine(editor, toWorking(editor, { atM, position }))
  }
  return (
    <section className={classes['panel']} aria-label={t('profileChart')}>
      <Measures />
      {measured.points.length > 1 && (
        <>
          <ElevationProfile
            line={measured}
            kind={mode === 'source' ? 'source' : 'planned'}
            stretches={hatched}
            marks={marks}
            height={height}
            onPick={pick}
          />
          <ProfileRibbon stretches={stretches} source={mode === 'source'} lengthM={measured.lengthM} />
        </>
      )}
    </section>
  )
}
