import '@/ui/theme/page-styles'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { CrashBoundary } from '@/app/CrashBoundary'
import { watchMissingChunks } from '@/app/missing-chunk'
import { start } from '@/app/start'
import { applyScheme } from '@/ui/theme/scheme'

const host = document.getElementById('root')
if (host === null) throw new Error('no #root in index.html')
const page = createRoot(host)
applyScheme()
watchMissingChunks()

start().then(
  (router) =>
    page.render(
      <StrictMode>
        <CrashBoundary>
          <RouterProvider router={router} />
        </CrashBoundary>
      </StrictMode>,
    ),
  (error: unknown) => {
    // Nothing loaded, not even the texts: the two languages side by side, and a way to try again.
    console.error(error)
    host.innerHTML =
      '<main style="max-width:32rem;margin:20vh auto;padding:0 1.5rem"><h1>Jalon</h1><p>Le serveur ne répond pas. Vérifiez la connexion, puis rechargez la page.</p><p lang="en">The server does not answer. Check the connection, then reload the page.</p><p><a href="">Recharger · Reload</a></p></main>'
  },
)
