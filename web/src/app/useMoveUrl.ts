import { useRouter } from '@tanstack/react-router'

/** Moves the address of a page of the router: the same place of the history, so that Back goes to the page before, not to the other language. */
export function useMoveUrl(): (address: string) => Promise<void> {
  const router = useRouter()
  return async (address) => {
    const content = document.querySelector('#content')
    const top = content?.scrollTop ?? 0
    // The forms of the page have already agreed. If the router asked them again, the page would load before the address changes.
    router.history.replace(address, router.history.location.state, { ignoreBlocker: true })
    router.history.flush()
    await router.load()
    // The router begins at the top of each new address: this one is the same page, which stays where it was.
    if (content !== null) content.scrollTop = top
  }
}
