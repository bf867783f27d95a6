import { Outlet } from '@tanstack/react-router'

/** What stands around every page, signed in or not. */
export function RootLayout() {
  return <Outlet />
}
