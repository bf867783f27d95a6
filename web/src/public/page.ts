// The public page works without this script: it adds the live map, the profile's cursor and the copy button, and tells the
// server that it was looked at.
import './page.css'
import { tell, tellView } from './events'
import { readTrace } from './trace-data'

const trace = readTrace()
const mapElement = document.getElementById('map')

const near = document.getElementById('near-map')
if (near) whenNear(near, () => void import('./near-map').then(({ drawNear }) => drawNear(near)))

if (trace && mapElement) {
  // The map is the heavy part: it waits until the reader is about to see it.
  whenNear(mapElement, () => void import('./map').then(({ drawMap }) => drawMap(mapElement, trace)))
  void import('./profile').then(({ followProfile }) => followProfile(trace))
}

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

tellView()

/** Once an element is about to be seen. */
function whenNear(element: Element, work: () => void): void {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return
    observer.disconnect()
    work()
  }, { rootMargin: '200px' })
  observer.observe(element)
}
