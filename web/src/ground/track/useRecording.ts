import { useEffect, useRef } from 'react'
import { useGround, useRecordingInProgress } from '../ground'
import type { Fix } from '../position/follow'
import { pointAfter, type Recording } from './recording'

/** The recording of this person, where there is one. While the parcours it belongs to is on the screen, each position is added to it. */
export function useRecording(parcoursId: number, fix: Fix | null): Recording | null {
  const { database } = useGround()
  const recording = useRecordingInProgress() ?? null
  const latest = useRef(recording)
  useEffect(() => {
    latest.current = recording
  })
  const id = recording?.parcoursId === parcoursId ? recording.id : undefined
  useEffect(() => {
    const now = latest.current
    if (fix === null || id === undefined || now === null) return
    const point = pointAfter(now.points, fix)
    if (point !== null) void database.recording.add(point)
  }, [database, fix, id])
  return recording
}
