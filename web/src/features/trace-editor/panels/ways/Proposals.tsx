import { useEffect, useRef } from 'react'
import { useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { Banner } from '@/ui/feedback/Banner'
import { format } from '@/ui/format'
import { useTouch } from '@/ui/usePhone'
import { useEditor, useEditorState } from '../../editor/context'
import type { Proposal, WaysRequest } from '../../logic/ways'
import { useReason } from '../../words'
import { PanelSkeleton } from '../lazy-panels'
import { focusTool } from './focus'
import { SurfaceBar } from './SurfaceBar'
import { useGroundWords } from './ground-words'
import { useAcceptProposal } from './useAcceptProposal'
import classes from './ways.module.css'

/** What the planner proposes, the same for other ways, a way around and loops: looked at with a hand or the focus, taken with a press or Enter. */
export function Proposals() {
  const { t } = useTranslation('trace')
  const proposals = useEditorState((state) => state.proposals)
  const reason = useReason()
  const touch = useTouch()
  const results = useRef<HTMLDivElement>(null)
  const answered = proposals !== null && proposals.state !== 'asking' && proposals.request.kind !== 'ways'
  // What was asked for with a button is answered below it, on a phone out of sight.
  useEffect(() => {
    if (answered) results.current?.scrollIntoView({ block: 'nearest' })
  }, [answered])
  if (proposals === null) return null
  const { request, state, ways, problem } = proposals
  return (
    <div ref={results} className={classes['proposals']} aria-busy={state === 'asking'}>
      <p className="visually-hidden" role="status">
        {state === 'asking' ? t('tip.planning') : state === 'ready' ? t('ways.found', { count: ways.length }) : ''}
      </p>
      {state === 'asking' && <PanelSkeleton />}
      {problem && (
        <div className={classes['banner']}>
          <Banner tone="warn" live="alert">
            {request.kind === 'avoid' && problem.code === 'planner/no-way'
              ? t('avoid.noOther')
              : request.kind === 'loop' && problem.code === 'planner/no-way'
                ? t('loop.none')
                : reason(problem)}
          </Banner>
        </div>
      )}
      {state === 'ready' && (
        <>
          <h3 className={classes['sub']}>{t(`ways.title.${request.kind}`, { count: ways.length })}</h3>
          <ol className={classes['list']}>
            {ways.map((way, rank) => (
              <ProposalRow key={`${rank} ${way.route.distance_m}`} way={way} rank={rank} kind={request.kind} alone={ways.length === 1} />
            ))}
          </ol>
          {request.kind === 'ways' && ways.every((way) => way.current) && <p className={classes['note']}>{t('ways.onlyCurrent')}</p>}
          <p className={classes['note']}>{t(touch ? 'ways.howToTouch' : 'ways.howTo')}</p>
        </>
      )}
    </div>
  )
}

/** One way: its number as on the map, its effort, its surface. */
function ProposalRow({ way, rank, kind, alone }: { way: Proposal; rank: number; kind: WaysRequest['kind']; alone: boolean }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const highlighted = useEditorState((state) => state.proposals?.highlighted === rank)
  const ground = useGroundWords()
  const press = useAcceptProposal(rank, () => focusTool(kind))
  const { route } = way
  const light = (on: boolean) => {
    const now = editor.get().proposals
    if (now && (on || now.highlighted === rank)) editor.set({ proposals: { ...now, highlighted: on ? rank : null } })
  }
  const more = route.distance_m - (way.to_m - way.from_m)
  const underfoot = ground.line(route, 'surfaces')
  const kinds = ground.line(route, 'kinds')
  return (
    <li>
      <button
        type="button"
        className={classes['way']}
        data-lit={highlighted || undefined}
        onMouseEnter={() => light(true)}
        onMouseLeave={() => light(false)}
        onFocus={() => light(true)}
        onBlur={() => light(false)}
        {...press}
      >
        <span className={classes['number']} data-rank={rank + 1}>
          {rank + 1}
        </span>
        <span className={classes['facts']}>
          <span className={`${classes['figures']} num`}>
            <strong>{format.km(route.distance_m)}</strong>
            <span>{format.duration(route.duration_s)}</span>
            {route.ascent_m !== null && (
              <span>
                {t('measures.ascent')} {format.metres(route.ascent_m)}
              </span>
            )}
            {way.current && <Badge tone="info">{t('ways.current')}</Badge>}
          </span>
          {kind !== 'loop' && !way.current && Math.abs(more) >= 50 && (
            <span className={`${classes['small']} num`}>
              {t(more > 0 ? 'ways.longer' : 'ways.shorter', { distance: format.distance(Math.abs(more)) })}
            </span>
          )}
          <SurfaceBar surfaces={route.surfaces} />
          {underfoot !== '' && <span className={classes['small']}>{underfoot}</span>}
          {kinds !== '' && <span className={classes['small']}>{kinds}</span>}
          <span className={classes['take']} aria-hidden={!alone && !highlighted}>
            {t(kind === 'loop' ? 'ways.takeLoop' : 'ways.take')}
          </span>
        </span>
      </button>
    </li>
  )
}
