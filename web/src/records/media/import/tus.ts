import { DetailedError, Upload } from 'tus-js-client'
import { payload } from '@/api/payload'
import { connectionProblem, ProblemError } from '@/api/problem'
import { api, asBytes, unwrap } from '@/api/client'
import { drawPoster } from './poster'
import { kindOfName } from './kinds'
import type { MakeSender } from './store'

/** Pieces small enough that little is lost when the line breaks. */
const pieceBytes = 8 * 1024 * 1024
const pauseMs = 400

/** Sends a file by tus 1.0: it resumes where it was after a cut, a pause, or another visit with the same file. */
export const sendByTus: MakeSender = (file, events) => {
  const upload = new Upload(file, {
    endpoint: `${payload().api_base}/api/v1/uploads`,
    chunkSize: pieceBytes,
    retryDelays: [0, 1000, 3000, 5000, 10_000, 20_000],
    metadata: { filename: file.name, filetype: file.type },
    removeFingerprintOnSuccess: true,
    onProgress: (sent) => events.onProgress(sent),
    onShouldRetry: (error) => mayPass(error),
    onError: (error) => events.onRefused(problemOf(error)),
    onSuccess: () => {
      events.onProcessing()
      finish(upload.url, file).then(events.onDone, events.onRefused)
    },
  })
  return {
    start: () => {
      void upload.findPreviousUploads().then(([before]) => {
        if (before !== undefined && upload.url === null) upload.resumeFromPreviousUpload(before)
        upload.start()
      })
    },
    pause: () => void upload.abort(),
    drop: () => void upload.abort(true).catch(() => undefined),
  }
}

/** Where an upload that the caller remembers goes on. */
export interface Resumed {
  /** The address that the server gave for it; `null` to begin. */
  url: string | null
  /** Called with the address before the first byte is sent. */
  onUrl: (url: string) => Promise<void>
  onSent: (bytes: number) => void
}

/** Pieces of a photo that is sent over a weak network. */
const smallPieceBytes = 256 * 1024
/**
 * An upload without progress for this long is aborted, milliseconds. A device may copy a whole piece into its send buffer at once, so that
 * no progress is reported until the piece has arrived: at 35 kbit/s this takes that long.
 */
export const SILENCE_MS = 60_000

/**
 * Sends a file whose upload the caller remembers; resolves with the media that the server made of it. Where no byte leaves and no answer comes
 * for a minute it rejects as a request without answer, and another call goes on from the bytes that the server has.
 */
export function sendOnce(file: File, { url, onUrl, onSent }: Resumed): Promise<number> {
  let noted: Promise<void> = Promise.resolve()
  let silence: ReturnType<typeof setTimeout> | undefined
  const sent = new Promise<number>((resolve, reject) => {
    const cut = new AbortController()
    const heard = () => {
      clearTimeout(silence)
      silence = setTimeout(() => {
        cut.abort()
        void upload.abort()
        reject(connectionProblem())
      }, SILENCE_MS)
    }
    const upload = new Upload(file, {
      endpoint: `${payload().api_base}/api/v1/uploads`,
      uploadUrl: url,
      chunkSize: smallPieceBytes,
      retryDelays: [0, 1000, 3000],
      metadata: { filename: file.name, filetype: file.type },
      storeFingerprintForResuming: false,
      onUploadUrlAvailable: () => {
        if (upload.url !== null && upload.url !== url) noted = onUrl(upload.url)
      },
      // An upload that is complete on the server and unknown here would be sent again.
      onBeforeRequest: () => noted,
      onAfterResponse: heard,
      onProgress: (bytes) => {
        heard()
        onSent(bytes)
      },
      onShouldRetry: (error) => navigator.onLine && mayPass(error),
      onError: (error) => reject(problemOf(error)),
      onSuccess: () => void finish(upload.url, file, { signal: cut.signal, onAnswer: heard }).then(resolve, reject),
    })
    heard()
    upload.start()
  })
  return sent.finally(() => clearTimeout(silence))
}

/** The same request may pass later: the line broke, or the server is busy. */
function mayPass(error: Error): boolean {
  const status = error instanceof DetailedError ? (error.originalResponse?.getStatus() ?? 0) : 0
  return status === 0 || status === 409 || status === 423 || status >= 500
}

/** A failure of tus as a `ProblemError`. */
function problemOf(error: Error): unknown {
  if (!(error instanceof DetailedError)) return error
  const response = error.originalResponse
  if (response === null) return connectionProblem()
  try {
    const body: unknown = JSON.parse(response.getBody())
    if (typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string')
      return new ProblemError(response.getStatus(), body as { code: string })
  } catch {
    // A proxy's page: its status is all there is.
  }
  return new ProblemError(response.getStatus(), { code: `http/${response.getStatus()}` })
}

/** Everything is there: wait until the server has made a medium of it; a video's poster is drawn here. */
async function finish(
  url: string | null,
  file: File,
  { signal, onAnswer }: { signal?: AbortSignal; onAnswer?: () => void } = {},
): Promise<number> {
  const id = (url ?? '').split('/').findLast((part) => part !== '') ?? ''
  for (;;) {
    const answer = await unwrap(api.GET('/api/v1/uploads/{token}', { params: { path: { token: id } }, ...(signal && { signal }) }))
    onAnswer?.()
    if (answer.state === 'refused') throw new ProblemError(422, answer.problem ?? { code: 'media/broken' })
    if (answer.state === 'done' && typeof answer.media_id === 'number') {
      if (kindOfName(file.name) === 'video') await sendPoster(answer.media_id, file)
      return answer.media_id
    }
    await new Promise((wake) => setTimeout(wake, pauseMs))
  }
}

/** Sends the poster of a video. A failure is ignored: the video itself was imported. */
async function sendPoster(mediaId: number, file: File): Promise<void> {
  const poster = await drawPoster(file).catch(() => null)
  if (poster !== null)
    await unwrap(api.PUT('/api/v1/medias/{id}/poster', { params: { path: { id: mediaId } }, ...asBytes, body: poster })).catch(
      () => undefined,
    )
}
