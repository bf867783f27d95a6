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
export function useVoice<T>(onSound: (sound: Blob) => T): {
  isRecording: boolean
  /** Rejects where the browser or the person refuses the microphone. */
  start: () => Promise<void>
  /** Ends the note; what `onSound` made of it, null where none was being recorded. */
  stop: () => Promise<T | null>
} {
  const [isRecording, setRecording] = useState(false)
  const running = useRef<Promise<{ recorder: MediaRecorder; ended: Promise<T> }> | null>(null)
  const latest = useRef(onSound)
  useEffect(() => {
    latest.current = onSound
  })

  const begin = async () => {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
    const mimeType = formats.find((format) => MediaRecorder.isTypeSupported(format))
    const recorder = new MediaRecorder(stream, { audioBitsPerSecond: BITS, ...(mimeType !== undefined && { mimeType }) })
    const pieces: Blob[] = []
    recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data))
    const end = window.setTimeout(() => recorder.stop(), LONGEST_MS)
    const ended = new Promise<T>((resolve) => {
      recorder.addEventListener('stop', () => {
        window.clearTimeout(end)
        stream.getTracks().forEach((track) => track.stop())
        running.current = null
        setRecording(false)
        resolve(latest.current(new Blob(pieces, { type: recorder.mimeType.split(';', 1)[0] ?? '' })))
      })
    })
    recorder.start()
    setRecording(true)
    return { recorder, ended }
  }
  const start = async () => {
    // Pressed twice while the person is asked for the microphone, it begins once.
    running.current ??= begin()
    try {
      await running.current
    } catch (error) {
      running.current = null
      throw error
    }
  }
  const stop = async () => {
    const now = await running.current?.catch(() => null)
    if (now == null) return null
    now.recorder.stop()
    return now.ended
  }
  // The form is closed: the microphone is given back, also where the person allows it only now.
  useEffect(() => () => void running.current?.then(({ recorder }) => recorder.stop()).catch(() => undefined), [])
  return { isRecording, start, stop }
}
