// The public page works without this script: it adds the live map, the profile's cursor and the copy button, and tells the
// server that it was looked at.
import './page.css'
import { tell, tellView } from './events'
import { readTrace } from './trace-data'

const trace = readTrace()
const mapElement = document.getElementById('map')

if (trace && mapElement) {
  // The map is the heavy part: it waits until the reader is about to see it.
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return
    observer.disconnect()
    void import('./map').then(({ drawMap }) => drawMap(mapElement, trace))
  }, { rootMargin: '200px' })
  observer.observe(mapElement)
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
