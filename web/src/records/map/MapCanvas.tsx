import { useComputedColorScheme } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import {
  Map,
  NavigationControl,
  ScaleControl,
  FullscreenControl,
  AttributionControl,
  type MapRef,
  type MapLayerMouseEvent,
  type ErrorEvent,
} from '@vis.gl/react-maplibre'
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from '@/i18n'
import { payload } from '@/api/payload'
import { currentLocale } from '@/i18n'
import { fetchStyle, isOwnStyle, plainGround, styleAtHand, styleUrl, wholeAddress } from './base-style'
import { maplibre } from './engine'
import { useFirstView } from './first-view'
import { FIRST_ZOOM, FirstDrawing, type FirstLine } from './FirstDrawing'
import { drawMissingImage } from './images'
import { PADDING_PX, type Padding } from './camera'
import type { Bbox } from './geo'
import classes from './MapCanvas.module.css'
import { mapWords } from './words'

export interface MapCanvasProps {
  /** What the map shows, for screen readers. */
  label: string
  /** The first view; later changes move the map only when `follow` is set. */
  bounds?: Bbox | null
  follow?: boolean
  /** Room left around `bounds`, pixels. */
  padding?: Padding
  /** Lines that are shown until the map has drawn them. */
  first?: readonly FirstLine[]
  /** Layers that answer to the mouse. */
  interactiveLayerIds?: string[]
  controls?: boolean
  /** A still picture: no gesture, no control, not in the order of Tab. */
  still?: boolean
  cursor?: string
  onReady?: (map: MapRef) => void
  onClick?: (event: MapLayerMouseEvent) => void
  onMouseMove?: (event: MapLayerMouseEvent) => void
  onMouseLeave?: (event: MapLayerMouseEvent) => void
  onMoveEnd?: (bounds: Bbox, byHand: boolean) => void
  /** Sources, layers and markers (`records/map/layers`), or any of react-maplibre's. */
  children?: ReactNode
}

type Ground = { state: 'loading' | 'ready' | 'failed'; url: string; style: ReturnType<typeof plainGround> }

/** The style for the theme; a plain ground while it comes, and when it doesn't. */
function useGround(scheme: 'light' | 'dark', attempt: number): Ground {
  const url = styleUrl(scheme)
  const [ground, setGround] = useState<Ground>(() => {
    const style = styleAtHand(url)
    return { state: style === undefined ? 'loading' : 'ready', url, style: style ?? plainGround(scheme) }
  })
  useEffect(() => {
    let gone = false
    fetchStyle(url, attempt > 0).then(
      // The same style again changes nothing.
      (style) => gone || setGround((before) => (before.style === style ? before : { state: 'ready', url, style })),
      () => gone || setGround({ state: 'failed', url, style: plainGround(scheme) }),
    )
    return () => {
      gone = true
    }
  }, [url, scheme, attempt])
  return ground
}

const named = (words: ReturnType<typeof mapWords>, label: string) => ({ ...words, 'Map.Title': `${words['Map.Title'] ?? 'Map'}, ${label}` })

/** The map: base of the theme, scale, zoom, attribution, keyboard; says in words when its ground does not come. */
export function MapCanvas(props: MapCanvasProps) {
  const { label, bounds, follow = false, padding = PADDING_PX, still = false, controls = !still, children } = props
  const { t } = useTranslation()
  const scheme = useComputedColorScheme('light')
  const calm = useReducedMotion()
  const [attempt, setAttempt] = useState(0)
  const [tilesFail, setTilesFail] = useState(false)
  const [hasWebgl, setHasWebgl] = useState(true)
  const ground = useGround(scheme, attempt)
  const map = useRef<MapRef>(null)
  const frame = useRef<HTMLElement>(null)
  const [drawn, setDrawn] = useState(false)
  const config = payload().map
  const firstView = useFirstView()
  const [start] = useState<Bbox>(bounds ?? firstView)
  // Two maps on one page are distinguished by their names.
  const locale = useMemo(() => named(mapWords(currentLocale()), label), [label])

  useEffect(() => {
    if (follow && bounds) map.current?.fitBounds(bounds, { padding, duration: calm ? 0 : 200, maxZoom: FIRST_ZOOM })
    // Only a change of the box moves the map.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [follow, bounds?.join()])

  const failed = ground.state === 'failed' || tilesFail
  const onError = ({ error }: ErrorEvent) => {
    // MapLibre fires it where the browser has no WebGL 2, or has too many maps open.
    if (error.name === 'GPUInitializationError') setHasWebgl(false)
    else if (/AJAXError|Failed to fetch|NetworkError|Load failed/i.test(`${error.name} ${error.message}`)) setTilesFail(true)
    else console.error(error)
  }
  return (
    <section ref={frame} className={classes['frame']} aria-label={label} data-still={still || undefined}>
      <Map
        ref={map}
        mapLib={maplibre}
        mapStyle={ground.style}
        initialViewState={{ bounds: start, fitBoundsOptions: { padding, maxZoom: FIRST_ZOOM } }}
        transformRequest={wholeAddress}
        validateStyle={!isOwnStyle(ground.url)}
        attributionControl={false}
        interactive={!still}
        locale={locale}
        dragRotate={false}
        touchPitch={false}
        pitchWithRotate={false}
        maxPitch={0}
        fadeDuration={calm ? 0 : 150}
        reuseMaps={false}
        {...(props.interactiveLayerIds ? { interactiveLayerIds: props.interactiveLayerIds } : {})}
        {...(props.cursor === undefined ? {} : { cursor: props.cursor })}
        {...(props.onClick ? { onClick: props.onClick } : {})}
        {...(props.onMouseMove ? { onMouseMove: props.onMouseMove } : {})}
        {...(props.onMouseLeave ? { onMouseOut: props.onMouseLeave } : {})}
        onMoveEnd={({ target, originalEvent }) => {
          const b = target.getBounds()
          props.onMoveEnd?.([b.getWest(), b.getSouth(), b.getEast(), b.getNorth()], originalEvent !== undefined)
        }}
        onLoad={({ target }) => {
          target.touchZoomRotate.disableRotation()
          target.keyboard.disableRotation()
          if (map.current) props.onReady?.(map.current)
        }}
        onStyleData={({ target }) => drawMissingImage(target)}
        onError={onError}
        // Set once the map has rendered; benchmarks wait for it.
        onIdle={() => {
          // Idle on the plain ground, the map is drawn anew once its style comes.
          if (ground.state !== 'loading') setDrawn(true)
          frame.current?.setAttribute('data-idle', '')
        }}
        onSourceData={() => frame.current?.removeAttribute('data-idle')}
        onMoveStart={() => {
          setDrawn(true)
          frame.current?.removeAttribute('data-idle')
        }}
        style={{ position: 'absolute', inset: 0 }}
      >
        {controls && <NavigationControl position="top-right" showCompass={false} />}
        {controls && <FullscreenControl position="top-right" />}
        {controls && <ScaleControl position="bottom-left" />}
        <AttributionControl
          position="bottom-right"
          compact={false}
          customAttribution={ground.state === 'ready' ? undefined : config.attribution}
        />
        {children}
      </Map>
      {props.first && !drawn && <FirstDrawing lines={props.first} bounds={start} padding={padding} />}
      {!hasWebgl && (
        <div className={classes['notice']} role="status">
          <span>{t('map.noWebgl')}</span>
        </div>
      )}
      {hasWebgl && failed && (
        <div className={classes['notice']} role="status">
          <span>{t('map.groundFailed')}</span>
          <button
            type="button"
            onClick={() => {
              setTilesFail(false)
              setAttempt(attempt + 1)
            }}
          >
            {t('retry')}
          </button>
        </div>
      )}
    </section>
  )
}
