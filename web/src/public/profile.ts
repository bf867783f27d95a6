import { withUnit } from '../i18n/typography'
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
    const height = ele === undefined ? '' : `, ${withUnit(String(Math.round(ele)), 'm')}`
    const words = `km ${number.format(at / 1000)}${height}`
    reading.textContent = words
    svg.setAttribute('aria-valuenow', String(Math.round(at)))
    svg.setAttribute('aria-valuetext', words)
    window.dispatchEvent(new CustomEvent(CURSOR_EVENT, { detail: position }))
  }

  svg.addEventListener('pointermove', (event) => {
    const box = svg.getBoundingClientRect()
    const x = ((event.clientX - box.left) / box.width) * VIEW_WIDTH
    show(((x - PLOT_LEFT) / (PLOT_RIGHT - PLOT_LEFT)) * total)
  })
  // With the script the drawing is moved along like a slider, and read out like one.
  svg.setAttribute('role', 'slider')
  svg.setAttribute('tabindex', '0')
  svg.setAttribute('aria-valuemin', '0')
  svg.setAttribute('aria-valuemax', String(Math.round(total)))
  svg.setAttribute('aria-valuenow', '0')
  svg.setAttribute('aria-valuetext', 'km 0')
  svg.addEventListener('keydown', (event) => {
    const stride = total / (event.shiftKey ? 10 : 100)
    if (event.key === 'ArrowRight') show(at + stride)
    else if (event.key === 'ArrowLeft') show(at - stride)
    else if (event.key === 'Home') show(0)
    else if (event.key === 'End') show(total)
    else return
    event.preventDefault()
  })
}
