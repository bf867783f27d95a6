import { RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { currentBuildId } from './build'
import { focusHeading } from './RootLayout'
import { loadRouteRules } from './route-rules'
import { fetchFirstPage, loadFirstPage, router } from './router'

/** The pages of the router, at the address that is open: the scripts of the first one are asked for at once, its data when the configuration is there. */
export async function startApp(config: Promise<unknown>, texts: Promise<unknown>): Promise<ReactNode> {
  // The router may have been made at another address.
  router.updateLatestLocation()
  fetchFirstPage()
  await config
  loadFirstPage()
  await Promise.all([texts, loadRouteRules(currentBuildId())])
  return <RouterProvider router={router} />
}

/** The same after a sign-in: the heading takes the focus, as after each change of page. */
export async function enterApp(): Promise<ReactNode> {
  const stop = router.subscribe('onRendered', () => {
    stop()
    focusHeading()
  })
  return startApp(Promise.resolve(), Promise.resolve())
}
