import { useEffect } from 'react'

/** Keeps the screen on while `wanted`. A page that was hidden asks again. */
export function useScreenAwake(wanted: boolean): void {
  useEffect(() => {
    if (!wanted || !('wakeLock' in navigator)) return
    let lock: WakeLockSentinel | undefined
    let over = false
    const ask = async () => {
      if (document.visibilityState !== 'visible') return
      // Refused with a low battery: the page goes on without it.
      const given = await navigator.wakeLock.request('screen').catch(() => undefined)
      if (over) void given?.release()
      else if (given !== undefined) {
        // Shown twice while the first request waited: one is enough.
        void lock?.release()
        lock = given
      }
    }
    const again = () => void ask()
    again()
    document.addEventListener('visibilitychange', again)
    return () => {
      over = true
      document.removeEventListener('visibilitychange', again)
      void lock?.release()
    }
  }, [wanted])
}
