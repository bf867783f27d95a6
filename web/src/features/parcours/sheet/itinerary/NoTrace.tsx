import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type DragEvent } from 'react'
import { useTranslation } from '@/i18n'
import IconFileImport from '@tabler/icons-react/dist/esm/icons/IconFileImport.mjs'
import { payload } from '@/api/payload'
import { ProblemError } from '@/api/problem'
import { useCan } from '@/api/session'
import type { Position } from '@/api/types'
import { Button } from '@/ui/button/Button'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { toast } from '@/ui/feedback/toast'
import { format } from '@/ui/format'
import { OutsideRegion, outsideShare } from '@/records/parcours/OutsideRegion'
import { problemText } from '@/records/problem-text'
import { useSheet } from '../context'
import { inspectTrace, parcoursQuery, uploadTrace, type Join } from '../queries'
import classes from './itinerary.module.css'

interface Sent {
  file: File
  join: Join | null
  /** The user was warned that the file is outside the region, and imports it nevertheless. */
  outsideToo?: boolean
}

/** The file is outside the region: the user is warned before it is imported. */
class OutsideError extends Error {
  constructor(readonly line: readonly Position[]) {
    super('outside the region')
  }
}

/** No trace yet: drop a file, choose one, or draw. */
export function NoTrace() {
  const { t } = useTranslation('sheet')
  const { t: tt } = useTranslation('trace')
  const { parcours } = useSheet()
  const mayImport = useCan('content.import')
  const chooser = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const upload = useUpload()
  const { limits } = payload()
  const pieces = upload.error instanceof ProblemError && upload.error.code === 'trace/pieces' && upload.variables
  const outside = upload.error instanceof OutsideError && upload.variables ? { line: upload.error.line, sent: upload.variables } : null
  const take = (file: File | undefined) => file !== undefined && upload.mutate({ file, join: null })
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (mayImport && parcours.editable) take(event.dataTransfer.files[0])
  }
  return (
    <Card title={t('itinerary.trace')}>
      <div
        className={classes['drop']}
        data-over={over || undefined}
        onDrop={drop}
        onDragLeave={() => setOver(false)}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
      >
        {upload.error !== null && !pieces && !outside && (
          <Banner tone="danger" live="alert">
            {t('error.because', { what: t('error.import'), why: problemText(upload.error) })}
          </Banner>
        )}
        {pieces ? (
          <Pieces sent={pieces} busy={upload.isPending} answer={(join) => upload.mutate({ ...pieces, join })} close={upload.reset} />
        ) : outside ? (
          <div className={classes['pieces']} role="group" aria-label={outside.sent.file.name}>
            <OutsideRegion line={outside.line} />
            <div className="row wrap">
              <Button onClick={() => upload.mutate({ ...outside.sent, outsideToo: true })}>{tt('import.go')}</Button>
              <Button look="ghost" onClick={upload.reset}>
                {tt('import.other')}
              </Button>
            </div>
          </div>
        ) : (
          <EmptyState
            title={parcours.editable ? t('itinerary.empty') : t('itinerary.none')}
            text={
              parcours.editable
                ? t('itinerary.accepted', { bytes: format.bytes(limits.trace_bytes), points: format.number(limits.trace_points) })
                : undefined
            }
            actions={
              parcours.editable && (
                <>
                  <Button
                    busy={upload.isPending}
                    disabledReason={mayImport ? undefined : t('notAllowed')}
                    icon={<IconFileImport size={18} stroke={1.75} aria-hidden />}
                    onClick={() => chooser.current?.click()}
                  >
                    {t(upload.isPending ? 'itinerary.reading' : 'itinerary.import')}
                  </Button>
                  <ButtonLink to="/parcours/$id/edit-trace" params={{ id: String(parcours.id) }}>
                    {t('itinerary.draw')}
                  </ButtonLink>
                </>
              )
            }
          />
        )}
        <input
          ref={chooser}
          type="file"
          hidden
          aria-label={t('itinerary.import')}
          accept=".gpx,.kml,.kmz,.geojson,.json,.tcx,.fit"
          onChange={(event) => {
            take(event.target.files?.[0])
            event.target.value = ''
          }}
        />
      </div>
    </Card>
  )
}

/** Send the bytes; the sheet comes back with its trace and its first steps. */
function useUpload() {
  const { t } = useTranslation('sheet')
  const { parcours } = useSheet()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ file, join, outsideToo = false }: Sent) => {
      const { trace_bytes: max_bytes } = payload().limits
      if (file.size > max_bytes) throw new ProblemError(413, { code: 'trace/too-large', params: { max_bytes } })
      if (!outsideToo) {
        const { line } = await inspectTrace(file)
        if (outsideShare(line) > 0) throw new OutsideError(line)
      }
      return await uploadTrace(parcours.id, parcours.version, file, join)
    },
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: parcoursQuery(parcours.id).queryKey, exact: true })
      void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'parcours' && queryKey[1] !== parcours.id })
      toast({ text: t('done.imported') })
    },
  })
}

/** Several tracks further than 30 m apart: the person says what they are. */
function Pieces({ sent, busy, answer, close }: { sent: Sent; busy: boolean; answer: (join: Join) => void; close: () => void }) {
  const { t } = useTranslation('sheet')
  const { t: tt } = useTranslation('trace')
  return (
    <div className={classes['pieces']} role="group" aria-label={sent.file.name}>
      <p>
        <strong>{sent.file.name}</strong> {t('itinerary.pieces')}
      </p>
      <div className="row wrap">
        <Button busy={busy} onClick={() => answer('true')}>
          {tt('import.join')}
        </Button>
        <Button busy={busy} onClick={() => answer('longest')}>
          {t('itinerary.longest')}
        </Button>
        <Button busy={busy} onClick={() => answer('first')}>
          {t('itinerary.first')}
        </Button>
        <Button look="ghost" onClick={close}>
          {tt('import.other')}
        </Button>
      </div>
    </div>
  )
}
