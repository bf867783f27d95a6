import { useEffect, useMemo, useState } from 'react'

/** How many more are shown in one frame, and how many taken away: a mark of a map takes about 0.2 ms to make, half to unmake. */
const MORE = 6
const FEWER = 12

/** The next step from the marks shown to the marks wanted: a few are removed, a few are added, the others are updated. */
export function oneStep<T>(shown: readonly T[], all: readonly T[], keyOf: (one: T) => string): readonly T[] {
  const wanted = new Map(all.map((one) => [keyOf(one), one]))
  const keys = new Set(shown.map(keyOf))
  let going = 0
  const kept = shown.flatMap((one) => {
    const now = wanted.get(keyOf(one))
    if (now !== undefined) return [now]
    going += 1
    return going > FEWER ? [one] : []
  })
  return [...kept, ...all.filter((one) => !keys.has(keyOf(one))).slice(0, MORE)]
}

/** Of many, those that are shown already and a few more in each frame, so that no frame is late. */
export function useGradually<T>(all: readonly T[], keyOf: (one: T) => string): readonly T[] {
  const [shown, setShown] = useState<readonly T[]>([])
  const done = useMemo(() => {
    const there = new Set(shown)
    return shown.length === all.length && all.every((one) => there.has(one))
  }, [shown, all])
  useEffect(() => {
    if (done) return undefined
    const frame = requestAnimationFrame(() => {
      const next = oneStep(shown, all, keyOf)
      // Two marks with one key would never be `done`: without a change, nothing is rendered again.
      if (next.length !== shown.length || next.some((one, index) => one !== shown[index])) setShown(next)
    })
    return () => cancelAnimationFrame(frame)
  }, [all, keyOf, done, shown])
  return shown
}
