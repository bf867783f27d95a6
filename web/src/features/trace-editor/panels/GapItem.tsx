import { useState, type ReactNode } from 'react'
import { Menu } from '@mantine/core'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import IconMagnet from '@tabler/icons-react/dist/esm/icons/IconMagnet.mjs'
import { useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { Button, ButtonAnchor, IconButton } from '@/ui/button/Button'
import { format } from '@/ui/format'
import { capitalized } from '@/ui/text'
import { useCursorStore } from '@/records/map/cursor'
import { IgnoreDialog } from '../dialogs/IgnoreDialog'
import { decideAgain, follow, keep, stopIgnoringGap, straighten } from '../editor/actions'
import { useEditor, useEditorState } from '../editor/context'
import type { ShownGap } from '../editor/shown'
import { floorTenth } from '../logic/gaps'
import { bareKm, kmDigits, points } from '../words'
import { useCause, useFixWords } from './gap-words'
import classes from './reliability.module.css'

/** The address where a missing or wrong way is reported to OpenStreetMap. */
export function reportUrl(gap: ShownGap): string {
  if (gap.edit_url) return gap.edit_url
  const place = gap.line[Math.floor(gap.line.length / 2)]
  return place
    ? `https://www.openstreetmap.org/note/new#map=17/${place[1].toFixed(5)}/${place[0].toFixed(5)}`
    : 'https://www.openstreetmap.org/note/new'
}

/** One stretch that does not match: only the current one is open, on a phone all of them. */
export function GapItem({ gap, first, always }: { gap: ShownGap; first: boolean; always: boolean }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const cursor = useCursorStore()
  const chosen = useEditorState((state) => state.gap)
  const cause = useCause()
  const current = chosen === gap.letter || (chosen === null && first)
  const settled = gap.kept || gap.reason !== null
  const open = settled ? chosen === gap.letter : current || always
  return (
    <li className={classes['gap']} data-current={current || undefined} data-kept={settled || undefined}>
      <button
        type="button"
        className={classes['gapHead']}
        aria-expanded={open}
        onClick={() => editor.set({ gap: chosen === gap.letter ? null : gap.letter })}
        onMouseEnter={() => cursor.set(gap.shown.from_m, 'list')}
        onMouseLeave={() => cursor.set(null, 'list')}
      >
        <span className={classes['letter']}>{gap.letter}</span>
        <span className={classes['cause']}>{cause(gap)}</span>
        {gap.kept ? (
          <Badge>{t('reliability.kept')}</Badge>
        ) : gap.reason !== null ? (
          <Badge>{t('reliability.ignored')}</Badge>
        ) : gap.gain > 0 ? (
          <Badge tone="ok">{t('reliability.gain', { points: points(gap.gain) })}</Badge>
        ) : floorTenth(gap.points) > 0 ? (
          <Badge tone="warn">{t('reliability.cost', { points: points(floorTenth(gap.points)) })}</Badge>
        ) : null}
      </button>
      {open &&
        (gap.kept ? <KeptBody gap={gap} /> : gap.reason !== null ? <IgnoredBody gap={gap} reason={gap.reason} /> : <GapBody gap={gap} />)}
    </li>
  )
}

function GapBody({ gap }: { gap: ShownGap }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const editable = useEditorState((state) => state.parcours.editable)
  const fixWords = useFixWords()
  const [asking, setAsking] = useState(false)
  // Scores made before the planner listed its remedies allow keeping the stretch.
  const keepable = gap.remedies?.includes('keep_off_network') ?? true
  const reportable = gap.remedies?.includes('report_way') ?? Boolean(gap.edit_url)
  const alone = gap.fix === null && !keepable && !gap.forced
  const report = (
    <ButtonAnchor
      look="link"
      size="small"
      className={classes[alone ? 'reportAlone' : 'report'] ?? ''}
      href={reportUrl(gap)}
      target="_blank"
      rel="noopener noreferrer"
      icon={<IconExternalLink size={16} stroke={1.75} aria-hidden />}
    >
      {t(gap.cause === 'forbidden' ? 'reliability.reportWrong' : 'reliability.reportMissing')}
      <span className="visually-hidden">{t('reliability.newTab')}</span>
    </ButtonAnchor>
  )
  return (
    <div className={classes['gapBody']}>
      <p className="num">
        <Where gap={gap} /> {t(`reliability.detail.${gap.cause}`)}
        {gap.cause !== 'forbidden' && typeof gap.max_offset_m === 'number' && gap.max_offset_m > 0
          ? ` ${capitalized(t('reliability.offset', { metres: format.metres(gap.max_offset_m) }))}.`
          : ''}
        {gap.forced && ` ${t('reliability.forced')}`}
        {gap.fix === null && !gap.forced && ` ${t(gap.cause === 'forbidden' ? 'reliability.noFixForbidden' : 'reliability.noFix')}`}
      </p>
      {editable && (
        <div className={classes['buttons']}>
          {gap.fix && (
            <Button
              look="soft"
              size="small"
              icon={<IconMagnet size={16} stroke={1.75} aria-hidden />}
              onClick={() => follow(editor, [gap])}
            >
              {fixWords(gap)}
            </Button>
          )}
          {gap.forced ? (
            <Button look="ghost" size="small" onClick={() => decideAgain(editor, gap)}>
              {t('reliability.decideAgain')}
            </Button>
          ) : (
            keepable && (
              <Button look="ghost" size="small" onClick={() => keep(editor, gap)}>
                {t('reliability.keep')}
              </Button>
            )
          )}
          {reportable && alone && report}
          <Menu position="bottom-end" withinPortal>
            <Menu.Target>
              <IconButton
                look="ghost"
                size="small"
                className="end"
                label={t('reliability.others', { letter: gap.letter })}
                icon={<IconDots size={16} stroke={1.75} aria-hidden />}
              />
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => editor.set({ gap: gap.letter, layers: { ...editor.get().layers, gaps: true } })}>
                {t('reliability.show')}
              </Menu.Item>
              <Menu.Item onClick={() => straighten(editor, gap)}>{t('reliability.redraw')}</Menu.Item>
              <Menu.Item onClick={() => setAsking(true)}>{t('reliability.ignore')}</Menu.Item>
              {!keepable && !gap.forced && <Menu.Item onClick={() => keep(editor, gap)}>{t('reliability.keep')}</Menu.Item>}
              {!reportable && (
                <Menu.Item component="a" href={reportUrl(gap)} target="_blank" rel="noopener noreferrer">
                  {t('reliability.report')}
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
          {reportable && !alone && report}
          {asking && <IgnoreDialog gap={gap} onClose={() => setAsking(false)} />}
        </div>
      )}
    </div>
  )
}

/** A stretch that is ignored: the reason, and the user who ignored it. */
function IgnoredBody({ gap, reason }: { gap: ShownGap; reason: string }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  return (
    <DecidedBody gap={gap} onAgain={() => stopIgnoringGap(editor, gap)}>
      {t('reliability.ignoredBecause', { reason })}
      {gap.ignored?.by ? ` (${gap.ignored.by.name}, ${format.day(gap.ignored.at)})` : ''}
    </DecidedBody>
  )
}

/** A kept stretch: the effect on the reliability. */
function KeptBody({ gap }: { gap: ShownGap }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  return (
    <DecidedBody gap={gap} onAgain={() => decideAgain(editor, gap)}>
      {t('reliability.keptMeans')}
    </DecidedBody>
  )
}

/** A stretch with a decision, and the button that withdraws the decision. */
function DecidedBody({ gap, onAgain, children }: { gap: ShownGap; onAgain: () => void; children: ReactNode }) {
  const { t } = useTranslation('trace')
  const editable = useEditorState((state) => state.parcours.editable)
  return (
    <div className={classes['gapBody']}>
      <p className="num">
        <Where gap={gap} /> {children}
      </p>
      {editable && (
        <div className={classes['buttons']}>
          <Button look="ghost" size="small" onClick={onAgain}>
            {t('reliability.decideAgain')}
          </Button>
        </div>
      )}
    </div>
  )
}

function Where({ gap }: { gap: ShownGap }) {
  const { t } = useTranslation('trace')
  const digits = kmDigits(gap.length_m)
  return (
    <>
      {t('reliability.where', {
        from: bareKm(gap.shown.from_m, digits),
        to: bareKm(gap.shown.to_m, digits),
        length: format.distance(gap.length_m),
      })}
      .
    </>
  )
}
