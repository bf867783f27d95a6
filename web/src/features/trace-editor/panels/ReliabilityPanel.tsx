import { Popover } from '@mantine/core'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import type { ReactNode } from 'react'
import { useTranslation } from '@/i18n'
import { payload } from '@/api/payload'
import type { TraceReliability } from '@/api/types'
import { Banner } from '@/ui/feedback/Banner'
import { Button, IconButton } from '@/ui/button/Button'
import { format } from '@/ui/format'
import { faultText } from '@/records/problem-text'
import { useEditor, useEditorState } from '../editor/context'
import { shownGapsOf } from '../editor/shown'
import { isFresh, present } from '../editor/state'
import { floorTenth, shortestWay } from '../logic/gaps'
import { points } from '../words'
import { GapItem } from './GapItem'
import { Gauge } from './Gauge'
import { Kept, Unjudged } from './Unjudged'
import { WayOverThreshold } from './WayOverThreshold'
import classes from './reliability.module.css'

/** The index explained: the number, what it changes, what it is made of, and what to do about each stretch. */
export function ReliabilityPanel({ narrow = false }: { narrow?: boolean }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const reliability = useEditorState((state) => state.analysed?.reliability ?? null)
  return (
    <>
      <div className={classes['head']}>
        <h2>{t('reliability.title')}</h2>
        {reliability && <How reliability={reliability} />}
        {reliability && (
          <Button
            look="ghost"
            size="small"
            className="end"
            icon={<IconRefresh size={16} stroke={1.75} aria-hidden />}
            onClick={() => editor.analyseAgain()}
          >
            {t('reliability.recompute')}
          </Button>
        )}
      </div>
      <State />
      {reliability && <Body reliability={reliability} narrow={narrow} />}
    </>
  )
}

/** Why there is no number, or why it is grey. */
function State() {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const analysis = useEditorState((state) => state.analysis)
  const empty = useEditorState((state) => present(state).legs.length === 0)
  const has = useEditorState((state) => state.analysed?.reliability != null)
  const kind = useEditorState((state) => state.analysed?.reliability_state)
  const notice = useEditorState((state) => state.analysed?.notice ?? null)
  const retry = (
    <Button look="link" size="small" onClick={() => editor.analyseAgain()}>
      {t('reliability.recompute')}
    </Button>
  )
  if (empty) return <p className={classes['note']}>{t('reliability.nothing')}</p>
  if (analysis === 'failed')
    return (
      <div className={classes['banner']}>
        <Banner tone="danger" live="status" actions={retry}>
          {t('reliability.failed')}
        </Banner>
      </div>
    )
  if (analysis === 'running' && !has)
    return (
      <p className={classes['note']} aria-busy="true">
        {t('reliability.running')}
      </p>
    )
  if (notice !== null && !has)
    return (
      <div className={classes['banner']}>
        <Banner tone="warn">{faultText({ code: notice })}</Banner>
      </div>
    )
  if (kind === 'source' && !has) return <p className={classes['note']}>{t('reliability.source')}</p>
  if (kind === 'stale')
    return (
      <div className={classes['banner']}>
        <Banner tone="warn" actions={retry}>
          {t('reliability.stale')}
        </Banner>
      </div>
    )
  return null
}

function Body({ reliability, narrow }: { reliability: TraceReliability; narrow: boolean }) {
  const { t } = useTranslation('trace')
  const gaps = useEditorState(shownGapsOf)
  const running = useEditorState((state) => state.analysis === 'running' || !isFresh(state))
  const threshold = payload().reliability_threshold
  const { percent } = reliability
  if (reliability.not_calculable || percent === null) {
    return (
      <>
        <NotCalculable reliability={reliability} />
        <Kept />
        <Unjudged />
      </>
    )
  }
  const way = shortestWay(reliability, threshold)
  const open = gaps.filter((gap) => !gap.kept && gap.reason === null).length
  return (
    <>
      <div className={classes['number']} data-running={running || undefined} aria-busy={running}>
        <Figure percent={percent} threshold={threshold} running={running} how={narrow ? <How reliability={reliability} /> : null} />
        <Gauge percent={floorTenth(percent)} reachable={way?.percent ?? null} threshold={threshold} />
        <p className={classes['effect']}>
          {t(percent >= threshold ? 'reliability.effectAbove' : 'reliability.effectBelow')}{' '}
          <span className="num">
            {t('reliability.fraction', { on: format.km(reliability.on_network_m, 2), judged: format.km(reliability.judged_m, 2) })}
          </span>
          , {t('reliability.tolerance', { metres: format.metres(reliability.tolerance_m) })}.
        </p>
      </div>
      <h3 className={classes['sub']}>
        {gaps.length === 0 ? t('reliability.none') : open === 0 ? t('reliability.allDecided') : t('reliability.decide', { count: open })}
      </h3>
      <ol className={classes['gaps']}>
        {gaps.map((gap, rank) => (
          <GapItem key={gap.letter} gap={gap} first={rank === 0} always={narrow} />
        ))}
      </ol>
      <Kept />
      <Unjudged />
      {reliability.remarks.length > 0 && (
        <p className={classes['note']}>{t('reliability.wrongWay', { count: reliability.remarks.length })}</p>
      )}
      {way && <WayOverThreshold way={way} threshold={threshold} />}
    </>
  )
}

function Figure({ percent, threshold, running, how }: { percent: number; threshold: number; running: boolean; how: ReactNode }) {
  const { t } = useTranslation('trace')
  const distance = floorTenth(Math.abs(threshold - floorTenth(percent)))
  const words =
    distance === 0
      ? t('reliability.at')
      : t(floorTenth(percent) < threshold ? 'reliability.below' : 'reliability.above', { count: distance, points: points(distance) })
  return (
    <div className={classes['figure']}>
      <span className={classes['big']} data-low={floorTenth(percent) < threshold || undefined}>
        {format.percent(percent)}
      </span>
      <span>
        {running ? (
          t('reliability.running')
        ) : (
          <>
            <strong>{words}</strong> {t('reliability.of', { threshold })}
          </>
        )}
      </span>
      {how}
    </div>
  )
}

function NotCalculable({ reliability }: { reliability: TraceReliability }) {
  const { t } = useTranslation('trace')
  const reason = reliability.not_calculable?.reason ?? 'too_little_judged'
  return (
    <p className={classes['note']}>
      {t(`reliability.notCalculable.${reason}`, { share: format.percent(reliability.not_calculable?.share ?? 0, 0) })}
    </p>
  )
}

/** Every number can be opened. */
function How({ reliability }: { reliability: TraceReliability }) {
  const { t } = useTranslation('trace')
  const engine = useEditorState((state) => state.trace?.engine ?? null)
  const day = useEditorState((state) => state.trace?.data_date ?? null)
  return (
    <Popover width={320} position="bottom-end" withArrow shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <IconButton look="ghost" size="small" label={t('reliability.how')} icon={<IconInfoCircle size={16} stroke={1.75} aria-hidden />} />
      </Popover.Target>
      <Popover.Dropdown className={classes['how']} aria-label={t('reliability.how')}>
        <p tabIndex={-1} data-autofocus>
          {t('reliability.explain', { sigma: format.metres(reliability.sigma_m) })}
        </p>
        {engine && day && <p>{t('measures.howEngine', { engine, day: format.day(day) })}</p>}
      </Popover.Dropdown>
    </Popover>
  )
}
