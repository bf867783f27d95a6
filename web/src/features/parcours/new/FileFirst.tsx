import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { TraceInspection } from '@/api/types'
import { payload } from '@/api/payload'
import { useTranslation } from '@/i18n'
import { Banner } from '@/ui/feedback/Banner'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { Field } from '@/ui/field/Field'
import { FileInput } from '@/ui/field/FileInput'
import { Radios } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { OutsideRegion } from '@/records/parcours/OutsideRegion'
import { problemText } from '@/records/problem-text'
import { Glyph } from '@/records/ribbon/Ribbon'
import { inspectTrace, type Join } from '../sheet/queries'
import { glyphOf } from '../sheet/trace-view'
import classes from './new.module.css'

const TRACE_FILES = '.gpx,.kml,.kmz,.geojson,.json,.tcx,.fit'

/** A file that was read, and how its pieces are joined where they are apart. */
export interface Brought {
  file: File
  read: TraceInspection
  apart: boolean
  pieces: Join | null
}

interface Props {
  brought: Brought | null
  onChange: (brought: Brought | null) => void
  error: string | undefined
  /** Of the question about its pieces. */
  piecesError: string | undefined
}

/** The file of a trace, read at once: what it holds, and the one question it may raise. */
export function FileFirst({ brought, onChange, error, piecesError }: Props) {
  const { t } = useTranslation('parcours')
  const [over, setOver] = useState(false)
  const limit = payload().limits.trace_bytes
  const latest = useRef<File | null>(null)
  const read = useMutation({
    mutationFn: async (file: File): Promise<Brought> => {
      const found = await inspectTrace(file)
      return { file, read: found, apart: found.pieces.length > 1 && found.gaps.length > 0, pieces: null }
    },
    // Of two files chosen one after the other the last one counts, whichever is read first.
    onSuccess: (found) => found.file === latest.current && onChange(found),
  })
  const [chosen, setChosen] = useState<File | null>(null)
  const [tooBig, setTooBig] = useState<File | null>(null)
  const choose = (file: File | null) => {
    if (file === null) return
    latest.current = file
    setChosen(file)
    onChange(null)
    setTooBig(file.size > limit ? file : null)
    if (file.size <= limit) read.mutate(file)
  }
  return (
    <div
      className={classes['file']}
      data-over={over || undefined}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false)
        event.preventDefault()
        choose(event.dataTransfer.files.item(0))
      }}
    >
      <Field
        label={t('new.file')}
        required
        path="file"
        hint={t('trace:empty.text', { bytes: format.bytes(limit), points: format.number(payload().limits.trace_points) })}
        error={error}
      >
        {(wiring) => <FileInput {...wiring} value={chosen} onChange={choose} accept={TRACE_FILES} autoFocus />}
      </Field>
      {tooBig !== null && (
        <Banner tone="danger" live="alert">
          {t('trace:import.tooBig', { bytes: format.bytes(tooBig.size), limit: format.bytes(limit) })}
        </Banner>
      )}
      {read.isPending && (
        <div aria-busy="true">
          <p role="status">{t('trace:import.reading')}</p>
          <Skeleton height={48} />
        </div>
      )}
      {read.error && (
        <Banner tone="danger" live="alert">
          {t('trace:import.refused')} {problemText(read.error)}
        </Banner>
      )}
      {brought !== null && <Held brought={brought} onChange={onChange} error={piecesError} />}
    </div>
  )
}

interface HeldProps {
  brought: Brought
  onChange: (brought: Brought) => void
  error: string | undefined
}

function Held({ brought, onChange, error }: HeldProps) {
  const { t } = useTranslation('parcours')
  const { read, apart, pieces } = brought
  const longest = Math.max(...read.pieces.map((piece) => piece.distance_m))
  return (
    <>
      <div className={classes['held']}>
        <Glyph path={glyphOf(read.line)} source={false} size={46} />
        <p className="num" role="status">
          {t('trace:import.figures', {
            format: read.format.toUpperCase(),
            points: format.number(read.points),
            distance: format.distance(read.distance_m),
          })}
          {read.ascent_m !== null && ` · ${t('trace:import.ascent', { metres: format.metres(read.ascent_m) })}`}
        </p>
      </div>
      <OutsideRegion line={read.line} />
      {apart && (
        <Radios
          label={t('trace:import.pieces', { count: read.pieces.length })}
          required
          data-field="pieces"
          {...(error === undefined ? {} : { error })}
          value={pieces}
          onChange={(next) => onChange({ ...brought, pieces: next })}
          choices={[
            { value: 'true' as const, label: t('trace:import.join'), hint: t('trace:import.joinHint') },
            { value: 'first' as const, label: t('trace:import.first', { distance: format.distance(read.pieces[0]?.distance_m ?? 0) }) },
            { value: 'longest' as const, label: t('trace:import.longest', { distance: format.distance(longest) }) },
          ]}
        />
      )}
    </>
  )
}
