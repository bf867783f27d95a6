import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react'

/** How far below or above the window it begins to come, so that it is there when it is looked at. */
const margin = '240px'

/** What weighs much and stands low on the page: it is fetched and drawn when it comes near the window. The stand-in takes as much room. */
export function InSight({ standIn, children }: { standIn: ReactNode; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(typeof IntersectionObserver === 'undefined')
  useEffect(() => {
    if (near || place.current === null) return
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && setNear(true), { rootMargin: margin })
    watch.observe(place.current)
    return () => watch.disconnect()
  }, [near])
  return near ? <Suspense fallback={standIn}>{children}</Suspense> : <div ref={place}>{standIn}</div>
}
