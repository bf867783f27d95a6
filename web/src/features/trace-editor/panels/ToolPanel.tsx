import { useRef, useState } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Checkbox } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { useTouch } from '@/ui/usePhone'
import { cut, drawFree, joinAt, trim } from '../editor/actions'
import { useEditor, useEditorState } from '../editor/context'
import { present } from '../editor/state'
import { lengthM, spans } from '../logic/revision'
import { bareKm } from '../words'
import { KmField, kmOf, outside } from './KmField'
import { focusPanelField, focusTool } from './ways/focus'
import classes from './tools.module.css'

/** What a tool asks: by a press on the map, or by kilometre. */
export function ToolPanel() {
  const tool = useEditorState((state) => state.tool)
  const length = useEditorState((state) => lengthM(present(state).legs))
  const marks = useEditorState((state) => state.marks)
  if (tool === 'layers') return <Layers />
  if (tool === 'measure') return <Measuring />
  if (length === 0) return null
  if (tool === 'cut') return <Cutting key={marks.join()} length={length} mark={marks[0] ?? null} />
  if (tool === 'trim') return <Trimming key={marks.join()} length={length} marks={marks} />
  if (tool === 'free') return <Freeing key={marks.join()} length={length} mark={marks[0] ?? null} />
  return null
}

function Cutting({ length, mark }: { length: number; mark: number | null }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const [km, setKm] = useState(kmOf(mark))
  const at = (km ?? 0) * 1000
  const bad = outside(km, length)
  const ready = km !== null && !bad && at > 1 && at < length - 1
  const take = (keep: 'start' | 'end' | 'both') => {
    cut(editor, at, keep)
    focusTool('cut')
  }
  return (
    <section className={classes['panel']} data-tool-panel aria-label={t('cutting.title')}>
      <h2>{t('cutting.title')}</h2>
      <KmField label={t('cutting.km')} value={km} onChange={setKm} bad={bad} length={length} />
      {ready && (
        <div className={classes['stack']}>
          <Button size="small" onClick={() => take('start')}>
            {t('cutting.keepStart', { distance: format.distance(at) })}
          </Button>
          <Button size="small" onClick={() => take('end')}>
            {t('cutting.keepEnd', { distance: format.distance(length - at) })}
          </Button>
          <Button size="small" look="ghost" onClick={() => take('both')}>
            {t('cutting.split')}
          </Button>
        </div>
      )}
      <Joints />
    </section>
  )
}

/** Where two stretches of one kind meet: they can be made one again. */
function Joints() {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const touch = useTouch()
  const list = useRef<HTMLUListElement>(null)
  const legs = useEditorState((state) => present(state).legs)
  const joints = spans(legs).filter(
    (span, index) => legs[index + 1]?.kind === span.leg.kind && !span.leg.pending && !legs[index + 1]?.pending,
  )
  if (joints.length === 0) return null
  const joinOne = (index: number, rank: number) => {
    joinAt(editor, index)
    // Its row goes: the focus goes to the next one, after the last one to the field.
    requestAnimationFrame(() => {
      const rows = [...(list.current?.querySelectorAll('button') ?? [])]
      const next = rows[rank] ?? rows.at(-1)
      if (next) next.focus()
      else if (touch) focusTool('cut')
      else focusPanelField()
    })
  }
  return (
    <ul ref={list} className={classes['joints']} aria-label={t('cutting.joints')}>
      {joints.map((span, rank) => (
        <li key={span.leg.key}>
          <Button size="small" look="link" onClick={() => joinOne(span.index, rank)}>
            {t('cutting.join', { km: bareKm(span.to_m) })}
          </Button>
        </li>
      ))}
    </ul>
  )
}

function Trimming({ length, marks }: { length: number; marks: readonly number[] }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const order = marks.toSorted((a, b) => a - b)
  const [from, setFrom] = useState<number | null>(marks.length === 0 ? 0 : kmOf(order[0] ?? 0))
  const [to, setTo] = useState<number | null>(marks.length === 2 ? kmOf(order[1] ?? length) : kmOf(length))
  const [a, b] = [(from ?? 0) * 1000, Math.min((to ?? 0) * 1000, length)]
  const bad = from === null || to === null || outside(from, length) || outside(to, length) || Math.abs(a - b) < 1
  return (
    <section className={classes['panel']} data-tool-panel aria-label={t('trimming.title')}>
      <h2>{t('trimming.title')}</h2>
      <div className={classes['pair']}>
        <KmField label={t('trimming.from')} value={from} onChange={setFrom} bad={outside(from, length)} length={length} />
        <KmField label={t('trimming.to')} value={to} onChange={setTo} bad={outside(to, length)} length={length} />
      </div>
      <Button
        size="small"
        disabledReason={bad ? t('trimming.bad', { max: bareKm(length) }) : undefined}
        reasonShown
        onClick={() => {
          trim(editor, a, b)
          focusTool('trim')
        }}
      >
        {t('trimming.keep', { distance: format.distance(Math.abs(b - a)) })}
      </Button>
    </section>
  )
}

function Freeing({ length, mark }: { length: number; mark: number | null }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const touch = useTouch()
  const pen = useEditorState((state) => state.pen)
  const [from, setFrom] = useState(kmOf(mark))
  const [to, setTo] = useState<number | null>(null)
  const bad = from === null || to === null || outside(from, length) || outside(to, length) || Math.abs(from - to) < 0.001
  return (
    <section className={classes['panel']} data-tool-panel aria-label={t('freeing.title')}>
      <h2>{t('freeing.title')}</h2>
      <div className={classes['pair']}>
        <KmField label={t('freeing.from')} value={from} onChange={setFrom} bad={outside(from, length)} length={length} />
        <KmField label={t('freeing.to')} value={to} onChange={setTo} bad={outside(to, length)} length={length} />
      </div>
      <Button
        size="small"
        disabledReason={bad ? t('trimming.bad', { max: bareKm(length) }) : undefined}
        onClick={() => {
          drawFree(editor, (from ?? 0) * 1000, (to ?? 0) * 1000, pen)
          // With its mark the panel is drawn anew; under a finger its field would open the keyboard.
          if (mark === null) return
          if (touch) focusTool('free')
          else focusPanelField()
        }}
      >
        {t('freeing.draw')}
      </Button>
    </section>
  )
}

function Measuring() {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const pen = useEditorState((state) => state.pen)
  if (pen.length === 0) return null
  return (
    <section className={classes['panel']} data-tool-panel aria-label={t('measuring.title')}>
      <h2>{t('measuring.title')}</h2>
      <div className={classes['stack']}>
        <Button size="small" onClick={() => editor.set({ pen: pen.slice(0, -1) })}>
          {t('measuring.undo')}
        </Button>
        <Button size="small" look="ghost" onClick={() => editor.set({ pen: [] })}>
          {t('measuring.clear')}
        </Button>
      </div>
    </section>
  )
}

function Layers() {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const layers = useEditorState((state) => state.layers)
  return (
    <section className={classes['panel']} data-tool-panel aria-label={t('layer.title')}>
      <h2>{t('layer.title')}</h2>
      {(['source', 'steps', 'gaps'] as const).map((name) => (
        <Checkbox
          key={name}
          label={t(`layer.${name}`)}
          checked={layers[name]}
          onChange={(checked) => editor.set({ layers: { ...layers, [name]: checked } })}
        />
      ))}
    </section>
  )
}
