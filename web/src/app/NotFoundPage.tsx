import { ErrorPage } from './ErrorPage'

const notFound = { status: 404, message: 'Page not found' }

/** An unknown address: the 404 of the error page. */
export function NotFoundPage() {
  return <ErrorPage error={{ ...notFound, message: `${notFound.message}: ${window.location.pathname}` }} />
}
