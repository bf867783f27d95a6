import type { KeepAnswer, KeepRequest } from './offline/request'
import type { PageTrace } from './trace-data'

/** Keeps the page with all that it shows on the reader's device, and says so once it is. */
export async function keepOffline(trace: PageTrace | null): Promise<void> {
  const parcours = document.body.dataset['keep']
  if (parcours === undefined || !('serviceWorker' in navigator)) return
  const scope = location.pathname.startsWith('/en/') ? '/en/p/' : '/p/'
  await navigator.serviceWorker.register('/public-page/worker.js', { scope })
  const { active } = await navigator.serviceWorker.ready
  const { port1, port2 } = new MessageChannel()
  port1.addEventListener('message', ({ data }: MessageEvent<KeepAnswer>) => {
    const status = document.getElementById('kept')
    if (data.kept && status) status.textContent = status.dataset['done'] ?? ''
    showNotice(data.offline || !navigator.onLine)
  })
  port1.start()
  const request: KeepRequest = {
    parcours,
    page: location.pathname,
    style: trace === null ? '' : (document.getElementById('map')?.dataset['style'] ?? ''),
    line: trace?.line.map(([lon = 0, lat = 0]) => [lon, lat]) ?? [],
    // The fonts of the white-label are kept beside the pictures.
    pictures: [...document.images].map(({ currentSrc, src }) => currentSrc || src).concat([...document.querySelectorAll<HTMLLinkElement>('link[as=font]')].map(({ href }) => href)),
  }
  active?.postMessage(request, [port2])
}

/** Shows that the page may be out of date, as long as there is no network. */
export function tellOffline(): void {
  window.addEventListener('online', () => showNotice(false))
  window.addEventListener('offline', () => showNotice(true))
}

function showNotice(offline: boolean): void {
  const notice = document.getElementById('offline')
  if (notice) notice.hidden = !offline
}
