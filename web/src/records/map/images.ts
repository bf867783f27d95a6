import type { Map as MaplibreMap } from 'maplibre-gl'

/** The arrow that says which way a selected line runs: a white chevron, tinted by the layer (SDF). */
function chevron(size = 24): ImageData | null {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = size
  const pen = canvas.getContext('2d')
  if (pen === null) return null
  pen.strokeStyle = '#fff'
  pen.lineWidth = size / 6
  pen.lineCap = pen.lineJoin = 'round'
  pen.beginPath()
  pen.moveTo(size * 0.38, size * 0.24)
  pen.lineTo(size * 0.66, size * 0.5)
  pen.lineTo(size * 0.38, size * 0.76)
  pen.stroke()
  return pen.getImageData(0, 0, size, size)
}

export const arrowImage = 'jalon-arrow'

/** Adds our images to the style of the map. They are lost each time that another style is loaded. */
export function drawMissingImage(map: MaplibreMap): void {
  if (map.hasImage(arrowImage)) return
  const image = chevron()
  if (image !== null) map.addImage(arrowImage, image, { pixelRatio: 2, sdf: true })
}
