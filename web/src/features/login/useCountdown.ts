import { useEffect, useState } from 'react'

/** Counts seconds down to 0: the wait before another attempt. */
export function useCountdown(now: () => number = Date.now) {
  const [until, setUntil] = useState(0)
  const [leftS, setLeftS] = useState(0)
  useEffect(() => {
    if (until === 0) return undefined
    const tick = () => {
      const left = Math.ceil((until - now()) / 1000)
      setLeftS(Math.max(0, left))
      if (left <= 0) setUntil(0)
    }
    tick()
    const timer = setInterval(tick, 500)
    return () => clearInterval(timer)
  }, [until, now])
  return { leftS, start: (seconds: number) => setUntil(seconds > 0 ? now() + seconds * 1000 : 0) }
}
