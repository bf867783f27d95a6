import { useEffect, useState } from 'react'
import type { Fix } from './follow'

export interface Positioning {
  fix: Fix | null
  /** Why there is no position: `denied` by the person, or `unavailable`. */
  problem: 'denied' | 'unavailable' | null
}

/** The position of the device, as long as the screen is shown. */
export function usePosition(): Positioning {
  const [state, setState] = useState<Positioning>({ fix: null, problem: 'geolocation' in navigator ? null : 'unavailable' })
  useEffect(() => {
    if (!('geolocation' in navigator)) return
    const watch = navigator.geolocation.watchPosition(
      ({ coords, timestamp }) =>
        setState({
          fix: {
            position: [coords.longitude, coords.latitude],
            accuracyM: coords.accuracy,
            heading: coords.heading === null || Number.isNaN(coords.heading) ? null : coords.heading,
            at: timestamp,
          },
          problem: null,
        }),
      ({ code }) => setState((before) => ({ ...before, problem: code === 1 ? 'denied' : 'unavailable' })),
      { enableHighAccuracy: true, maximumAge: 2000 },
    )
    return () => navigator.geolocation.clearWatch(watch)
  }, [])
  return state
}
