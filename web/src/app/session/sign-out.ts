import { api, unwrap } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { groundPersonKey, knownUserId, noteSignedOut } from '@/api/signed-in-user'
import { currentLocale } from '@/i18n'
import { withLocale } from '@/i18n/locale'
import { toastError } from '@/ui/feedback/toast'
import { countDrafts, forgetPerson, keepAllDrafts } from '@/records/form/draft'
import { problemText } from '@/records/problem-text'

/** Tabs of one browser share a session: when one signs out, the others leave too. */
const channelName = 'jalon.signed-out'

/** Loaded when it is needed: most pages have no trace editor. */
const traceDrafts = () => import('@/features/trace-editor/logic/draft-store')

/** The number of unsaved changes of the user in this browser: forms and traces. */
export async function countUnsaved(userId: number): Promise<number> {
  keepAllDrafts()
  // A private window has no database: there are no drafts of traces then.
  const traces = await traceDrafts()
    .then(({ countTraceDrafts }) => countTraceDrafts(userId))
    .catch(() => 0)
  return countDrafts(userId) + traces
}

/** End the session here or everywhere, erase what this browser stores of the person, and load the sign-in page. */
export async function signOut(userId: number, everywhere = false): Promise<void> {
  try {
    await unwrap(everywhere ? api.DELETE('/api/v1/sessions') : api.DELETE('/api/v1/session'))
  } catch (error) {
    toastError(problemText(error))
    return
  }
  const channel = new BroadcastChannel(channelName)
  // A channel reaches the pages of this origin alone.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel.postMessage(userId)
  channel.close()
  await leave(userId)
}

/** Leave when another tab of this browser signs the same person out. Returns a function that stops listening. */
export function followSignOut(): () => void {
  const channel = new BroadcastChannel(channelName)
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const userId = knownUserId()
    if (userId !== undefined && data === userId) void leave(userId)
  })
  return () => channel.close()
}

async function leave(userId: number): Promise<void> {
  noteSignedOut()
  forgetPerson(userId)
  // What waits on the ground stays in the person's own database: it is shown when the same person signs in again.
  localStorage.removeItem(groundPersonKey)
  queryClient.clear()
  await traceDrafts()
    .then(({ forgetTraceDrafts }) => forgetTraceDrafts(userId))
    .catch(() => undefined)
  window.location.assign(withLocale('/login', currentLocale()))
}
