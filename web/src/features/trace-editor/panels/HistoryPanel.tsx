import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { textFor, useTranslation } from '@/i18n'
import type { Trace } from '@/api/types'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { format } from '@/ui/format'
import { HistoryDrawer } from '@/records/history/HistoryDrawer'
import { problemText } from '@/records/problem-text'
import { takePast } from '../editor/actions'
import { useEditor, useEditorState } from '../editor/context'
import { pastTraceQuery, revisionsQuery } from '../queries'
import classes from './history.module.css'

/** Every save of the parcours; two are compared on the map, and the older trace can be taken again. */
export default function HistoryPanel({ onClose }: { onClose: () => void }) {
  const id = useEditorState((state) => state.parcours.id)
  const version = useEditorState((state) => state.parcours.version)
  const list = useQuery(revisionsQuery(id, version))
  return (
    <HistoryDrawer
      beside
      list={list}
      version={version}
      nameOf={(field) => textFor(`sheet:field.${field}`) ?? field}
      onClose={onClose}
      renderComparison={({ older, newer }) => <Compared key={`${older} ${newer}`} older={older} newer={newer} onTaken={onClose} />}
    />
  )
}

function Compared({ older, newer, onTaken }: { older: number; newer: number; onTaken: () => void }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const id = useEditorState((state) => state.parcours.id)
  const current = useEditorState((state) => state.trace?.revision ?? null)
  const editable = useEditorState((state) => state.parcours.editable)
  const [before, after] = [useQuery(pastTraceQuery(id, older)), useQuery(pastTraceQuery(id, newer))]
  const [old, now] = [before.data ?? null, after.data ?? null]
  useEffect(() => {
    if (old && old.revision !== now?.revision)
      editor.set({ compared: { older: old.line, newer: now && now.revision !== current ? now.line : null } })
    return () => editor.set({ compared: null })
  }, [editor, old, now, current])
  const failed = before.error ?? after.error
  if (failed !== null) return <Banner tone="danger">{problemText(failed)}</Banner>
  if (!before.isSuccess || !after.isSuccess) return <Skeleton height={120} />
  if (old?.revision === now?.revision) return <p className="small muted">{t('history.same')}</p>
  if (old === null) return <p className="small muted">{t('history.noneBefore')}</p>
  return (
    <section className={classes['compared']} aria-label={t('history.comparison')}>
      <Figures before={old} after={now} />
      <p className="small muted">{t('history.drawn')}</p>
      {editable && (
        <Button
          icon={<IconHistory size={17} stroke={1.75} aria-hidden />}
          onClick={() => {
            takePast(editor, old)
            onTaken()
          }}
        >
          {t('history.take')}
        </Button>
      )}
    </section>
  )
}

/** What the walker would notice, before and after. */
function Figures({ before, after }: { before: Trace; after: Trace | null }) {
  const { t } = useTranslation('trace')
  const none = '–'
  const rows = [
    { name: t('measures.distance'), of: (trace: Trace) => (trace.distance_m === null ? none : format.km(trace.distance_m)) },
    { name: t('measures.duration'), of: (trace: Trace) => (trace.duration_s === null ? none : format.duration(trace.duration_s)) },
    { name: t('measures.ascent'), of: (trace: Trace) => (trace.ascent_m === null ? none : format.metres(trace.ascent_m)) },
    {
      name: t('reliability.title'),
      of: (trace: Trace) => (trace.reliability?.percent == null ? none : format.percent(trace.reliability.percent)),
    },
  ]
  return (
    <table className={`${classes['figures']} num`}>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">{t('history.figure')}</span>
          </th>
          <th scope="col">{t('history.before')}</th>
          <th scope="col">{t('history.after')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, of }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{of(before)}</td>
            <td data-other={(after !== null && of(after) !== of(before)) || undefined}>{after ? of(after) : none}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
