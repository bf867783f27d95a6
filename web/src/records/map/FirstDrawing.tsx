import { useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import type { LngLat, Position } from '@/api/types'
import { cameraOf, PADDING_PX, type Camera, type Padding, type Size } from './camera'
import classes from './FirstDrawing.module.css'
import type { Bbox } from './geo'
import { colourOf, HALO, strokes, type LineKind, type LineLook } from './strokes'
import { usePalette } from './usePalette'

/** A line as `TraceLine` draws it. */
export interface FirstLine {
  kind: LineKind
  line: readonly (Position | LngLat)[]
  look?: LineLook
}

export interface FirstDrawingProps {
  /** Undermost first. */
  lines: readonly FirstLine[]
  /** What the map shows first. */
  bounds: Bbox | null
  padding?: Padding
}

/** The nearest zoom at which a map shows a box at first. */
export const FIRST_ZOOM = 16
/** Points nearer than this to the one before are left out: they change no pixel. */
const NEAR_PX = 0.5

/**
 * The lines of a map, drawn as SVG before the map is ready: at the place, in the colours and with the strokes that the map gives them.
 * Hidden from screen readers and from the pointer.
 */
export function FirstDrawing({ lines, bounds, padding = PADDING_PX }: FirstDrawingProps) {
  const place = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState<Size | null>(null)
  useLayoutEffect(() => {
    const box = place.current
    if (box === null) return undefined
    const measure = () => setSize({ width: box.clientWidth, height: box.clientHeight })
    measure()
    if (typeof ResizeObserver === 'undefined') return undefined
    const watch = new ResizeObserver(measure)
    watch.observe(box)
    return () => watch.disconnect()
  }, [])
  const camera = size === null || bounds === null ? null : cameraOf(bounds, size, padding, FIRST_ZOOM)
  const drawn = lines.some(({ line }) => line.length > 1)
  return (
    <div ref={place} className={classes['drawing']} aria-hidden="true" data-line={(drawn && camera !== null) || undefined}>
      {size !== null && camera !== null && drawn && (
        <svg width={size.width} height={size.height} fill="none">
          {lines.map((one, index) => (
            <Line key={index} {...one} camera={camera} />
          ))}
        </svg>
      )}
    </div>
  )
}

function Line({ kind, line, look = 'plain', camera }: FirstLine & { camera: Camera }) {
  const palette = usePalette()
  const path = useMemo(() => pathOf(line, camera), [line, camera])
  return (
    <>
      {look === 'selected' && (
        <path
          d={path}
          stroke={colourOf(kind, palette)}
          strokeWidth={HALO['line-width']}
          strokeOpacity={HALO['line-opacity']}
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      )}
      {strokes(kind, palette, look).map(({ suffix, cap, paint }) => (
        <path
          key={suffix}
          d={path}
          stroke={paint['line-color']}
          strokeWidth={paint['line-width']}
          strokeOpacity={paint['line-opacity']}
          strokeDasharray={paint['line-dasharray']?.map((part) => part * paint['line-width']).join(' ')}
          strokeLinecap={cap}
          strokeLinejoin="round"
        />
      ))}
    </>
  )
}

function pathOf(line: readonly (Position | LngLat)[], { project }: Camera): string {
  let path = ''
  let [lastX, lastY] = [Infinity, Infinity]
  line.forEach((at, index) => {
    const [x, y] = project(at)
    if (index > 0 && index < line.length - 1 && Math.abs(x - lastX) < NEAR_PX && Math.abs(y - lastY) < NEAR_PX) return
    path += `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`
    ;[lastX, lastY] = [x, y]
  })
  return path
}

/** The place of a map whose script has not come yet, in the colour of its ground. */
export function FirstGround({ children }: { children?: ReactNode }) {
  return <div className={classes['ground']}>{children}</div>
}
