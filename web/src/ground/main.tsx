import '@/ui/theme/page-styles'
import './ground.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { loadPayload } from '@/api/payload'
import { startTexts } from '@/i18n'
import { preferredLocale, readCookie } from '@/i18n/locale'
import { applyScheme } from '@/ui/theme/scheme'
import { App } from './App'
import { startWorker } from './worker-page'

const host = document.getElementById('root')
if (host === null) throw new Error('no #root in index.html')
applyScheme()
startWorker()

const start = async () => {
  const config = await loadPayload()
  const locale = preferredLocale(readCookie('locale'), navigator.languages, config.default_locale ?? undefined)
  await startTexts(locale, ['common', 'errors', 'reviews', 'closures', 'ground'])
}

start().then(
  () =>
    createRoot(host).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  (error: unknown) => {
    console.error(error)
    host.innerHTML =
      '<main class="ground"><h1>Sur le terrain</h1><p>Ouvrez cette page une première fois avec le réseau, puis elle fonctionnera sans.</p><p lang="en">Open this page once with a network; it then works without one.</p><p><a href="">Recharger · Reload</a></p></main>'
  },
)
