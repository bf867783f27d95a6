import type UPlot from 'uplot'
import type { LinePalette } from '@/records/map/palette'

export interface ProfileStretch {
  fromM: number
  toM: number
  kind: 'off_network' | 'unjudged' | 'closed'
}
interface Mark {
  atM: number
  text: string
}

/** The pattern of a stretch, the same as on the map and in the ruban: hatch, bars, dots. */
function patternOf(pen: CanvasRenderingContext2D, kind: ProfileStretch['kind'], c: LinePalette): CanvasPattern | string {
  const size = 10 * devicePixelRatio
  const tile = document.createElement('canvas')
  tile.width = tile.height = size
  const brush = tile.getContext('2d')
  if (brush === null) return c.gap
  if (kind === 'off_network') {
    brush.fillStyle = c.gap
    brush.fillRect(0, 0, size, size)
    brush.strokeStyle = c.casing
    brush.lineWidth = size / 5
    for (const shift of [-size / 2, size / 2, size * 1.5]) {
      brush.beginPath()
      brush.moveTo(shift - size / 2, size)
      brush.lineTo(shift + size / 2, 0)
      brush.stroke()
    }
  } else if (kind === 'closed') {
    brush.fillStyle = c.closed
    brush.fillRect(0, 0, size, size)
    brush.fillStyle = c.casing
    brush.fillRect(0, 0, size * 0.4, size)
  } else {
    brush.fillStyle = c.hole
    brush.beginPath()
    brush.arc(size / 2, size / 2, size / 6, 0, 7)
    brush.fill()
  }
  return pen.createPattern(tile, 'repeat') ?? c.gap
}

/** uPlot hooks that draw the stretches as a band at the foot, and the steps as ticks at the head. */
export function stretchHooks(stretches: readonly ProfileStretch[], marks: readonly Mark[], c: LinePalette): UPlot.Hooks.Arrays {
  return {
    draw: [
      (plot: UPlot) => {
        const pen = plot.ctx
        const { top, height } = plot.bbox
        const x = (m: number) => plot.valToPos(m / 1000, 'x', true)
        pen.save()
        for (const { fromM, toM, kind } of stretches) {
          pen.fillStyle = patternOf(pen, kind, c)
          const band = 7 * devicePixelRatio
          pen.fillRect(x(fromM), top + height - band, Math.max(3 * devicePixelRatio, x(toM) - x(fromM)), band)
        }
        pen.fillStyle = pen.strokeStyle = c.text
        pen.font = `600 ${11 * devicePixelRatio}px Inter Variable`
        pen.textAlign = 'center'
        pen.lineWidth = devicePixelRatio
        let [last, wide] = [-Infinity, 0]
        for (const { atM, text } of marks) {
          pen.globalAlpha = 0.35
          pen.beginPath()
          pen.moveTo(x(atM), top)
          pen.lineTo(x(atM), top + height)
          pen.stroke()
          pen.globalAlpha = 1
          // Two at one place: the first is named, both have their tick.
          if (x(atM) - last < wide + 4 * devicePixelRatio) continue
          pen.fillText(text, x(atM), top - 5 * devicePixelRatio)
          ;[last, wide] = [x(atM), pen.measureText(text).width]
        }
        pen.restore()
      },
    ],
  }
}
