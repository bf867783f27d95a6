import { saveFile } from '@/ui/save-file'

const SCALE = 2
const MARGIN = 24
const HEAD = 34

/** Copies the computed styles of a drawing to each of its elements: outside the page no style sheet applies. */
const styled = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'font-family', 'font-size', 'text-anchor'] as const

function standing(svg: SVGSVGElement): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement
  const parts = copy.querySelectorAll<SVGElement>('*')
  svg.querySelectorAll<SVGElement>('*').forEach((part, rank) => {
    const look = getComputedStyle(part)
    for (const name of styled) parts[rank]?.style.setProperty(name, look.getPropertyValue(name))
  })
  return copy
}

/** A drawing of the page as a PNG picture with its title above, saved under a name. */
export async function savePng(svg: SVGSVGElement, title: string, fileName: string): Promise<void> {
  const { width, height } = svg.viewBox.baseVal
  const picture = new Image()
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(standing(svg)))}`
  await picture.decode()
  const canvas = document.createElement('canvas')
  canvas.width = (width + 2 * MARGIN) * SCALE
  canvas.height = (height + HEAD + 2 * MARGIN) * SCALE
  const pen = canvas.getContext('2d')
  if (pen === null) throw new Error('no canvas')
  const look = getComputedStyle(document.body)
  const css = getComputedStyle(document.documentElement)
  pen.scale(SCALE, SCALE)
  pen.fillStyle = css.getPropertyValue('--surface')
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.fillStyle = css.getPropertyValue('--text')
  pen.font = `600 16px ${look.fontFamily}`
  pen.fillText(title, MARGIN, MARGIN + 12, width)
  pen.drawImage(picture, MARGIN, MARGIN + HEAD, width, height)
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'))
  if (blob === null) throw new Error('no picture')
  saveFile(blob, fileName)
}
