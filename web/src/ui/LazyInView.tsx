import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'

/** Distance to the window at which the content is fetched, so that it is there when the user scrolls to it. */
const margin = '240px'

/**
 * For large content low on the page: it is fetched and rendered when it comes near the window or is printed. `standIn` takes the same space
 * until then.
 */
export function LazyInView({ standIn, children }: { standIn: ReactNode; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(typeof IntersectionObserver === 'undefined')
  useEffect(() => {
    if (near || place.current === null) return
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && setNear(true), { rootMargin: margin })
    watch.observe(place.current)
    // The browser takes what is there when the listener returns.
    const print = () => flushSync(() => setNear(true))
    window.addEventListener('beforeprint', print)
    return () => {
      watch.disconnect()
      window.removeEventListener('beforeprint', print)
    }
  }, [near])
  return near ? <Suspense fallback={standIn}>{children}</Suspense> : <div ref={place}>{standIn}</div>
}
