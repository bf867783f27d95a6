import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { AppTheme } from '@/ui/theme/AppTheme'
import { queryClient } from '@/api/query-client'
import { start } from '@/app/start'
import { CrashBoundary } from '@/app/CrashBoundary'

const host = document.getElementById('root')
if (host === null) throw new Error('no #root in index.html')
const page = createRoot(host)

start().then(
  (router) =>
    page.render(
      <StrictMode>
        <AppTheme>
          <CrashBoundary>
            <QueryClientProvider client={queryClient}>
              <RouterProvider router={router} />
            </QueryClientProvider>
          </CrashBoundary>
        </AppTheme>
      </StrictMode>,
    ),
  (error: unknown) => {
    // Nothing loaded, not even the texts: the two languages side by side, and a way to try again.
    console.error(error)
    host.innerHTML =
      '<main style="max-width:32rem;margin:20vh auto;padding:0 1.5rem"><h1>Jalon</h1><p>Le serveur ne répond pas. Vérifiez la connexion, puis rechargez la page.</p><p lang="en">The server does not answer. Check the connection, then reload the page.</p><p><a href="">Recharger · Reload</a></p></main>'
  },
)
