import { useEffect, useState } from 'react'

/** How many more are shown in one frame: each mark of a map takes about 0.2 ms to make. */
const MORE = 16

/** Of many, those that are shown already and a few more in each frame, so that no frame is late. */
export function useGradually<T>(all: readonly T[], keyOf: (one: T) => string | number): readonly T[] {
  const [there, setThere] = useState<ReadonlySet<string | number>>(new Set())
  const shown = all.filter((one) => there.has(keyOf(one)))
  const left = shown.length < all.length
  useEffect(() => {
    if (!left) return undefined
    const frame = requestAnimationFrame(() =>
      setThere((before) => {
        const missing = all.map(keyOf).filter((key) => !before.has(key))
        return new Set([...all.map(keyOf).filter((key) => before.has(key)), ...missing.slice(0, MORE)])
      }),
    )
    return () => cancelAnimationFrame(frame)
  }, [all, keyOf, left, there])
  return shown
}
