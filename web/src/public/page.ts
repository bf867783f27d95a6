// The public page works without this script: it adds the live map, the profile's cursor and the copy button, keeps the page
// for when there is no network, and reports the view to the server.
import type { StyleSpecification } from 'maplibre-gl'
import './page.css'
import { tell, tellView } from './events'
import { keepOffline, tellOffline } from './offline'
import { readTrace } from './trace-data'

const trace = readTrace()
const mapElement = document.getElementById('map')

const near = document.getElementById('near-map')
if (near) whenSeen(near, () => void import('./near-map').then(({ drawNear }) => drawNear(near)))

if (trace && mapElement) {
  // The map is the heavy part, and its line is drawn already: it waits until a reader sees some of it.
  whenSeen(mapElement, () => {
    const style = readStyle(mapElement.dataset['style'] ?? '')
    void Promise.all([import('./map'), style]).then(([{ drawMap }, read]) => drawMap(mapElement, trace, read))
  })
  void import('./profile').then(({ followProfile }) => followProfile(trace))
}

// The forms are closed at first: what makes them work comes when one is opened.
for (const form of document.querySelectorAll<HTMLDetailsElement>('details.give')) {
  form.hidden = false
  form.addEventListener('toggle', () => void import('./feedback-forms').then(({ takeForms }) => takeForms(trace)), { once: true })
}

const audience = document.getElementById('audience')
if (audience) void import('./audience').then(({ askForAudience }) => askForAudience(audience))

const copy = document.getElementById('copy-link')
if (copy && navigator.clipboard) {
  copy.hidden = false
  copy.addEventListener('click', () => {
    void navigator.clipboard.writeText(location.href).then(() => {
      tell('share')
      const status = document.getElementById('copy-status')
      if (status) status.textContent = copy.dataset['done'] ?? ''
    })
  })
}

tellOffline()
tellView()
// After all that the reader waits for.
window.addEventListener('load', () => void keepOffline(trace).catch(() => undefined))

/** The style of the map beside its script. Another server's, and one that does not come, is left to the map. */
async function readStyle(url: string): Promise<StyleSpecification | string> {
  if (!url.startsWith('/')) return url
  try {
    const response = await fetch(url)
    return response.ok ? ((await response.json()) as StyleSpecification) : url
  } catch {
    return url
  }
}

/** Once a tenth of an element is seen. */
function whenSeen(element: Element, work: () => void): void {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return
    observer.disconnect()
    work()
  }, { threshold: 0.1 })
  observer.observe(element)
}
