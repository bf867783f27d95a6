import { api, unwrap } from '@/api/client'
import { toastError } from '@/ui/feedback/toast'
import { problemText } from '@/ui/problem-text'
import { currentLocale } from '@/i18n'
import { withLocale } from '@/i18n/locale'

/** End the session here, or everywhere; then a fresh page, so that nothing of it stays in memory. */
export async function signOut(everywhere = false): Promise<void> {
  try {
    await unwrap(everywhere ? api.DELETE('/api/v1/sessions') : api.DELETE('/api/v1/session'))
  } catch (error) {
    toastError(problemText(error))
    return
  }
  window.location.assign(withLocale('/login', currentLocale()))
}
