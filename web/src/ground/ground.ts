import { createContext, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { GroundDatabase } from './database'
import type { Link, Person } from './person'
import type { Entry } from './queue/entry'
import type { Sender, SenderState } from './queue/sender'
import type { Download } from './downloads/types'
import type { Recording } from './track/recording'

/** What every screen needs: the person, their database, and what sends their entries. */
export interface Ground {
  person: Person
  link: Link
  database: GroundDatabase
  sender: Sender
}

export const GroundContext = createContext<Ground | null>(null)

export function useGround(): Ground {
  const ground = useContext(GroundContext)
  if (ground === null) throw new Error('no person on the ground')
  return ground
}

/** A value of the database, read again after each write of any tab; `undefined` until it is read. */
function useStored<T>(what: 'entries' | 'downloads' | 'recording', read: (database: GroundDatabase) => Promise<T>): T | undefined {
  const { database } = useGround()
  const [value, setValue] = useState<T>()
  useEffect(() => {
    let current = true
    let reading = false
    let again = false
    // Writes that come while it is read are read once, after it: a queue of hundreds is not read again for each step of each entry.
    const refresh = async () => {
      again = reading
      if (reading) return
      reading = true
      try {
        const found = await read(database)
        if (current) setValue(() => found)
      } finally {
        reading = false
      }
      if (current && again) void refresh()
    }
    void refresh()
    const stop = database.subscribe(what, () => void refresh())
    return () => {
      current = false
      stop()
    }
  }, [database, what, read])
  return value
}

const readEntries = (database: GroundDatabase): Promise<Entry[]> => database.entries.all()
const readRecording = (database: GroundDatabase): Promise<Recording | null> => database.recording.get()
const readDownloads = (database: GroundDatabase): Promise<Download[]> => database.downloads.all()

/** The entries on the device, the last made first. */
export function useEntries(): Entry[] | undefined {
  const entries = useStored('entries', readEntries)
  // The same list until an entry changes: what shows it is not rendered at each position.
  return useMemo(() => entries?.toSorted((one, other) => other.content.made_at.localeCompare(one.content.made_at)), [entries])
}

/** The parcours on the device. */
export const useDownloads = (): Download[] | undefined => useStored('downloads', readDownloads)

/** The way that the person is recording; null where there is none. */
export const useRecordingInProgress = (): Recording | null | undefined => useStored('recording', readRecording)

export function useSender(): SenderState {
  const { sender } = useGround()
  return useSyncExternalStore(sender.subscribe, sender.get)
}

const onNetwork = (listener: () => void): (() => void) => {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** Whether the device says that it has a network. */
export const useOnline = (): boolean => useSyncExternalStore(onNetwork, () => navigator.onLine)
