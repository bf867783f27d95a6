import { Outlet } from '@tanstack/react-router'

export function SignedInLayout() {
  return <main id="content"><Outlet /></main>
}
