import { useLayoutEffect, useRef, useState } from 'react'

/** Returns a stable function that calls the newest `work`. */
export function useLatest<A extends unknown[], T>(work: (...args: A) => T): (...args: A) => T {
  const latest = useRef(work)
  useLayoutEffect(() => {
    latest.current = work
  })
  const [same] = useState(
    () =>
      (...args: A) =>
        latest.current(...args),
  )
  return same
}
