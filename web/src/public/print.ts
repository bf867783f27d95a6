import type { Map } from 'maplibre-gl'

/** A mark of the map that is no part of its canvas. */
export interface PrintedMark {
  at: [number, number]
  text: string
  isEnd: boolean
}

const RADIUS_PX = 12

/** A picture of the current view of the map, for printing: browsers print no live map. The map is redrawn in this task, before the browser clears its canvas. */
export function printMap(map: Map, element: HTMLElement, marks: readonly PrintedMark[], label: string): void {
  map.redraw()
  const ground = map.getCanvas()
  const paper = document.createElement('canvas')
  paper.width = ground.width
  paper.height = ground.height
  const pen = paper.getContext('2d')
  if (pen === null || ground.width === 0) return
  pen.drawImage(ground, 0, 0)
  const scale = ground.width / ground.clientWidth
  pen.scale(scale, scale)
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  pen.font = '600 12px sans-serif'
  const color = getComputedStyle(element).getPropertyValue('--mark').trim() || '#0b5f50'
  for (const { at, text, isEnd } of marks) {
    const { x, y } = map.project(at)
    pen.beginPath()
    pen.arc(x, y, RADIUS_PX, 0, 2 * Math.PI)
    pen.fillStyle = isEnd ? color : '#17211c'
    pen.fill()
    pen.lineWidth = 2
    pen.strokeStyle = '#fff'
    pen.stroke()
    pen.fillStyle = '#fff'
    pen.fillText(text, x, y)
  }
  const picture = element.querySelector<HTMLImageElement>('.printed') ?? document.createElement('img')
  picture.className = 'printed'
  picture.alt = label
  picture.src = paper.toDataURL('image/jpeg', 0.9)
  element.append(picture)
}
