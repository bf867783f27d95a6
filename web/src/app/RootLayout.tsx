import { Outlet, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from '@/i18n'
import { Toaster } from '@/ui/feedback/toast'
import { focusTitle } from '@/ui/focus'
import { NewBuildCard } from './NewBuildCard'

/** The frame of every page, signed in or not. */
export function RootLayout() {
  useHeadingFocus()
  // Texts below follow the language: this is what renders everything again when it changes.
  useTranslation()
  return (
    <>
      <Outlet />
      <NewBuildCard />
      <Toaster />
    </>
  )
}

/** Gives the focus to the page's h1, unless it is in the page already. */
export function focusHeading(): void {
  const heading = document.querySelector('h1')
  if (heading === null || document.activeElement?.closest('main, [role="dialog"]')?.contains(heading)) return
  focusTitle()
}

/** After going to another page focus is on its h1, so that a screen reader reads it and Tab starts there. */
function useHeadingFocus(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
        if (fromLocation === undefined || fromLocation.pathname === toLocation.pathname || toLocation.hash !== '') return
        focusHeading()
      }),
    [router],
  )
}
