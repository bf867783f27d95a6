import { useEffect, useRef, useState } from 'react'

/** The longest voice note, milliseconds: it must pass over a weak network. */
const LONGEST_MS = 120_000
/** Speech needs no more, bits a second. */
const BITS = 32_000
const formats = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4']

export const mayRecordVoice = (): boolean => 'MediaRecorder' in window && 'mediaDevices' in navigator

/** Whether the bytes of an entry are a sound, not a photo. */
export const isSound = (blob: Blob): boolean => blob.type.startsWith('audio/')

/** Records the voice of the person; a note that became too long ends automatically. */
export function useVoice(onSound: (sound: Blob) => void): {
  isRecording: boolean
  /** Rejects where the browser or the person refuses the microphone. */
  start: () => Promise<void>
  /** Ends the note; resolves once `onSound` was called with it. */
  stop: () => Promise<Blob | null>
} {
  const [isRecording, setRecording] = useState(false)
  const running = useRef<{ recorder: MediaRecorder; ended: Promise<Blob> } | null>(null)
  const latest = useRef(onSound)
  useEffect(() => {
    latest.current = onSound
  })
  useEffect(() => () => running.current?.recorder.stop(), [])

  const start = async () => {
    if (running.current !== null) return
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
    const mimeType = formats.find((format) => MediaRecorder.isTypeSupported(format))
    const recorder = new MediaRecorder(stream, { audioBitsPerSecond: BITS, ...(mimeType !== undefined && { mimeType }) })
    const pieces: Blob[] = []
    recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data))
    const end = window.setTimeout(() => recorder.stop(), LONGEST_MS)
    const ended = new Promise<Blob>((resolve) => {
      recorder.addEventListener('stop', () => {
        window.clearTimeout(end)
        stream.getTracks().forEach((track) => track.stop())
        running.current = null
        setRecording(false)
        const sound = new Blob(pieces, { type: recorder.mimeType.split(';', 1)[0] ?? '' })
        latest.current(sound)
        resolve(sound)
      })
    })
    running.current = { recorder, ended }
    recorder.start()
    setRecording(true)
  }
  const stop = async () => {
    const now = running.current
    if (now === null) return null
    now.recorder.stop()
    return now.ended
  }
  return { isRecording, start, stop }
}
