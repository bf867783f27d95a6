import '@/ui/theme/page-styles'

const host = document.getElementById('root')
if (host === null) throw new Error('no #root in index.html')

// The router and the routes come beside what every page needs, not after it; the pages of the sign-in (`app/SignIn.tsx`) do without them. What
// fails here fails again, and is reported, where it is used.
if (!/^(\/en)?\/login(\/|$)/.test(window.location.pathname)) import('@/app/app').catch(() => undefined)

import('@/app/mount')
  .then(({ mount }) => mount(host))
  .catch((error: unknown) => {
    // Nothing loaded, not even the texts: the two languages side by side, and a way to try again.
    console.error(error)
    host.innerHTML =
      '<main style="max-width:32rem;margin:20vh auto;padding:0 1.5rem"><h1>Jalon</h1><p>Le serveur ne répond pas. Vérifiez la connexion, puis rechargez la page.</p><p lang="en">The server does not answer. Check the connection, then reload the page.</p><p><a href="">Recharger · Reload</a></p></main>'
  })
