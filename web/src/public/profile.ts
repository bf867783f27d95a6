import { type PageTrace, positionAt } from './trace-data'

/** Left and right of the plot inside the server's drawing, in its own units. */
const PLOT_LEFT = 44
const PLOT_RIGHT = 708
const VIEW_WIDTH = 720

export const CURSOR_EVENT = 'jalon:cursor'

/** Pointer and arrow keys on the profile move one cursor, announced in words and shown on the map. */
export function followProfile(trace: PageTrace): void {
  const svg = document.querySelector<SVGSVGElement>('svg.profile')
  const cursor = svg?.querySelector<SVGGElement>('.cursor')
  const reading = document.getElementById('profile-reading')
  const total = trace.along.at(-1) ?? 0
  if (!svg || !cursor || !reading || total <= 0) return
  const french = document.documentElement.lang === 'fr'
  const number = new Intl.NumberFormat(french ? 'fr-FR' : 'en-US', { maximumFractionDigits: 1, minimumFractionDigits: 1 })
  let at = 0

  const show = (next: number) => {
    at = Math.min(total, Math.max(0, next))
    const x = PLOT_LEFT + ((PLOT_RIGHT - PLOT_LEFT) * at) / total
    cursor.removeAttribute('hidden')
    cursor.setAttribute('transform', `translate(${x} 0)`)
    const position = positionAt(trace, at)
    const ele = position[2]
    const height = ele === undefined ? '' : `, ${Math.round(ele)} m`
    reading.textContent = `km ${number.format(at / 1000)}${height}`
    window.dispatchEvent(new CustomEvent(CURSOR_EVENT, { detail: position }))
  }

  svg.addEventListener('pointermove', (event) => {
    const box = svg.getBoundingClientRect()
    const x = ((event.clientX - box.left) / box.width) * VIEW_WIDTH
    show(((x - PLOT_LEFT) / (PLOT_RIGHT - PLOT_LEFT)) * total)
  })
  svg.setAttribute('tabindex', '0')
  svg.addEventListener('keydown', (event) => {
    const stride = total / (event.shiftKey ? 10 : 100)
    if (event.key === 'ArrowRight') show(at + stride)
    else if (event.key === 'ArrowLeft') show(at - stride)
    else return
    event.preventDefault()
  })
}
