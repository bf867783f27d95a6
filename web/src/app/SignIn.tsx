import type { ReactNode } from 'react'
import { SignInNavigationContext, type SignInNavigation } from '@/features/login/navigation'
import { ensureTexts } from '@/i18n'
import { withoutLocale } from '@/i18n/locale'
import { Toaster } from '@/ui/feedback/toast'
import { prefetch } from '@/ui/prefetch'
import { NewBuildCard } from './NewBuildCard'
import type { PageModule } from './page'

/** Shows something as the page. */
export type Show = (content: ReactNode) => void

const pages: Partial<Record<string, () => Promise<PageModule>>> = {
  '/login': () => import('@/features/login/LoginPage'),
  '/login/forgot': () => import('@/features/login/ForgotPage'),
  '/login/reset': () => import('@/features/login/ResetPage'),
}

/** The page of the sign-in at an address, if it is one. */
export const signInPage = (path: string) => pages[withoutLocale(path)]

/** Everything behind the sign-in: it comes while the password is typed. */
const readApp = prefetch(() => import('./app'))

/** Shows a page of the sign-in without the router, which it does not need: the page is there sooner. */
export async function showSignIn(read: () => Promise<PageModule>, show: Show): Promise<void> {
  const [{ Page, texts = [] }] = await Promise.all([read(), ensureTexts('login')])
  await ensureTexts(...texts)
  const host: SignInNavigation = {
    go: async (address) => {
      await move(address)
      const next = signInPage(window.location.pathname)
      if (next !== undefined) return showSignIn(next, show)
      void import('./layout/SignedInLayout')
      const { enterApp } = await readApp()
      show(await enterApp())
    },
    moveUrl: move,
  }
  show(
    <SignInNavigationContext value={host}>
      <Page />
      <NewBuildCard />
      <Toaster />
    </SignInNavigationContext>,
  )
}

const move = (address: string): Promise<void> => {
  window.history.replaceState(window.history.state, '', address)
  return Promise.resolve()
}
