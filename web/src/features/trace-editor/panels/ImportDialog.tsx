import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '@/i18n'
import { payload } from '@/api/payload'
import { ProblemError } from '@/api/problem'
import type { Repair, TraceInspection } from '@/api/types'
import { Button } from '@/ui/button/Button'
import { Dialog } from '@/ui/dialog/Dialog'
import { Banner } from '@/ui/feedback/Banner'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { toast } from '@/ui/feedback/toast'
import { Radios } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { useTouch } from '@/ui/usePhone'
import { useEditor, useEditorState } from '../editor/context'
import type { Pieces } from '../editor/services'
import { present } from '../editor/state'
import type { Fate } from '../logic/replace'
import { OutsideRegion } from '@/records/parcours/OutsideRegion'
import { useReason } from '../words'
import { Replacing } from './Replacing'
import { ShapePreview } from './ShapePreview'
import classes from './import.module.css'

export const TRACE_FILES = '.gpx,.kml,.kmz,.geojson,.json,.tcx,.fit'

/** Reads a file, lists the repairs, asks how to treat separate pieces; only then is the file written. */
export function ImportDialog({ file, onClose, onChoose }: { file: File; onClose: () => void; onChoose: () => void }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const touch = useTouch()
  const replaces = useEditorState((state) => present(state).legs.length > 0)
  const [pieces, setPieces] = useState<Pieces | null>(null)
  const tooBig = file.size > payload().limits.trace_bytes
  const [undone, setUndone] = useState<readonly Repair[]>([])
  const [fates, setFates] = useState<ReadonlyMap<number, Fate>>(new Map())
  const without = undone.flatMap((repair) => repair.id ?? [])
  const {
    mutate: inspect,
    data,
    error,
  } = useMutation({
    mutationFn: (request: { file: File; without: readonly string[] }) => editor.inspect(request.file, request.without),
    onSuccess: (found) => setRead(found),
  })
  // What was read before stays while it is read again without a repair.
  const [last, setRead] = useState<TraceInspection | null>(null)
  const read = data ?? last ?? undefined
  const latest = useRef<File | null>(null)
  useEffect(() => {
    if (latest.current === file || tooBig) return
    latest.current = file
    inspect({ file, without: [] })
  }, [file, tooBig, inspect])
  const change = (next: readonly Repair[]) => {
    setUndone(next)
    inspect({ file, without: next.flatMap((repair) => repair.id ?? []) })
  }
  useEffect(() => () => editor.lookAway(), [editor])
  const write = useMutation({
    mutationFn: () => (read ? editor.importFile(file, read, { pieces, withoutRepairs: without }, fates) : Promise.resolve()),
    onSuccess: () => {
      toast({ text: t('import.done'), action: { label: t('tool.undo'), run: () => editor.undo() } })
      onClose()
    },
  })
  const apart = read !== undefined && read.pieces.length > 1 && read.gaps.length > 0
  const failed = error ?? write.error
  return (
    <Dialog
      opened
      onClose={onClose}
      size="medium"
      beside
      title={t('import.title', { name: file.name })}
      actions={
        <>
          <Button onClick={onChoose}>{t('import.other')}</Button>
          {read && (
            <Button
              look="primary"
              busy={write.isPending}
              disabledReason={apart && pieces === null ? t('import.pieces', { count: read.pieces.length }) : undefined}
              onClick={() => write.mutate()}
            >
              {t('import.go')}
            </Button>
          )}
        </>
      }
    >
      <div className={classes['body']}>
        {tooBig && (
          <Banner tone="danger" live="alert">
            {t('import.tooBig', { bytes: format.bytes(file.size), limit: format.bytes(payload().limits.trace_bytes) })}
          </Banner>
        )}
        {!tooBig && !read && !error && <Reading />}
        {failed && <Refusal error={failed} />}
        {read && <Read read={read} compared={replaces} undone={undone} onUndone={change} />}
        {read && apart && <PiecesQuestion read={read} value={pieces} onChange={setPieces} />}
        {read && <OutsideRegion line={read.line} />}
        {read && replaces && <Replacing read={read} pieces={pieces} fates={fates} onFates={setFates} />}
        {read && (
          <p className={classes['note']}>
            {t('import.keptWhole')} {replaces ? t('import.replaces', { keys: touch ? '' : t('undoKeys') }) : t('import.notSaved')}
          </p>
        )}
      </div>
    </Dialog>
  )
}

function Reading() {
  const { t } = useTranslation('trace')
  return (
    <div aria-busy="true">
      <p role="status">{t('import.reading')}</p>
      <Skeleton height={120} />
    </div>
  )
}

function Refusal({ error }: { error: Error }) {
  const { t } = useTranslation('trace')
  const reason = useReason()
  const problem = error instanceof ProblemError ? error : new ProblemError(0, { code: 'internal' })
  const line = problem.params['line']
  const words = reason(problem)
  return (
    <Banner tone="danger" live="alert">
      {t('import.refused')} {words}
      {typeof line === 'number' && !words.includes(String(line)) ? ` ${t('import.atLine', { line })}` : ''}
    </Banner>
  )
}

interface Undoing {
  undone: readonly Repair[]
  onUndone: (repairs: readonly Repair[]) => void
}

function Read({
  read,
  compared,
  ...undoing
}: {
  read: TraceInspection
  /** The comparison below shows its length and climb, measured as those of the trace. */ compared: boolean
} & Undoing) {
  const { t } = useTranslation('trace')
  return (
    <div className={classes['read']}>
      <ShapePreview lines={read.pieces.length > 0 ? read.pieces.map((piece) => piece.line) : [read.line]} />
      <div>
        <p className="num">
          {compared
            ? t('import.points', { format: read.format.toUpperCase(), points: format.number(read.points) })
            : t('import.figures', {
                format: read.format.toUpperCase(),
                points: format.number(read.points),
                distance: format.distance(read.distance_m),
              })}
          {!compared && read.ascent_m !== null && ` · ${t('import.ascent', { metres: format.metres(read.ascent_m) })}`}
        </p>
        {read.waypoints.length > 0 && <p>{t('import.waypoints', { count: read.waypoints.length })}</p>}
        <Repairs repairs={read.repairs} {...undoing} />
      </div>
    </div>
  )
}

const repairKinds = [
  'joined_segments',
  'doubled_points',
  'spikes',
  'holes',
  'missing_elevations',
  'zero_elevations',
  'model_elevations',
  'invalid_points',
  'lone_points',
  'recovered_encoding',
  'raw_ampersand',
  'truncated',
  'routes_left_out',
  'no_movement',
] as const

/** What was repaired, each with how often and where first, and the way back: the file is read again without it. */
function Repairs({ repairs, undone, onUndone }: { repairs: readonly Repair[] } & Undoing) {
  const { t } = useTranslation('trace')
  const left = repairs.filter((repair) => !undone.some(({ id }) => id === repair.id))
  if (repairs.length === 0 && undone.length === 0) return <p className="muted">{t('import.repairedNone')}</p>
  const words = (repair: Repair) => {
    const count = repair.count
    const kind = repairKinds.find((one) => one === repair.kind)
    const text = kind ? t(`import.repair.${kind}`, { count }) : t('import.repair.other', { kind: repair.kind, count })
    return repair.line === null ? text : `${text} (${t('import.line', { line: repair.line })})`
  }
  return (
    <>
      <h3>{t('import.repaired')}</h3>
      <ul className={classes['repairs']}>
        {left.map((repair) => (
          <li key={`${repair.kind} ${repair.line ?? ''}`}>
            <span>{words(repair)}</span>
            {repair.undoable && (
              <Button look="link" size="small" onClick={() => onUndone([...undone, repair])}>
                {t('import.undo')}
              </Button>
            )}
          </li>
        ))}
        {undone.map((repair) => (
          <li key={repair.id} data-undone>
            <span>
              <del>{words(repair)}</del>
            </span>
            <Button look="link" size="small" onClick={() => onUndone(undone.filter(({ id }) => id !== repair.id))}>
              {t('import.redo')}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

function PiecesQuestion({ read, value, onChange }: { read: TraceInspection; value: Pieces | null; onChange: (value: Pieces) => void }) {
  const { t } = useTranslation('trace')
  const longest = Math.max(...read.pieces.map((piece) => piece.distance_m))
  return (
    <div className={classes['pieces']}>
      <Radios
        label={t('import.pieces', { count: read.pieces.length })}
        value={value}
        onChange={onChange}
        choices={[
          { value: 'true', label: t('import.join'), hint: t('import.joinHint') },
          { value: 'first', label: t('import.first', { distance: format.distance(read.pieces[0]?.distance_m ?? 0) }) },
          { value: 'longest', label: t('import.longest', { distance: format.distance(longest) }) },
        ]}
      />
      <ul className={classes['repairs']}>
        {read.gaps.slice(0, 6).map((gap) => (
          <li key={gap.after_piece}>
            {t('import.gap', { distance: format.distance(gap.distance_m), from: gap.after_piece + 1, to: gap.after_piece + 2 })}
          </li>
        ))}
      </ul>
    </div>
  )
}
