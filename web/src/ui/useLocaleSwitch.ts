import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { tagOf, type Locale } from '@/i18n'
import { toastError } from '@/ui/feedback/toast'
import { mayChangePage } from './page-change'
import { switchLocale, withLocale } from '@/i18n/locale'

/** Change language on the same screen; `pending` names the language on its way. */
export function useLocaleSwitch(onSwitched?: (locale: Locale) => void) {
  const router = useRouter()
  const { t } = useTranslation('shell')
  const [pending, setPending] = useState<Locale | null>(null)
  const change = async (next: Locale) => {
    if (pending !== null || !(await mayChangePage())) return
    setPending(next)
    try {
      await switchLocale(next, {
        // The same place of the history under the other prefix: Back goes to the page before, not to the other language.
        moveUrl: async () => {
          const { pathname, search, hash } = window.location
          // The forms of the page have already agreed. If the router asked them again, the page would load before the address changes.
          router.history.replace(`${withLocale(pathname, next)}${search}${hash}`, router.history.location.state, { ignoreBlocker: true })
          router.history.flush()
          await router.load()
        },
      })
      onSwitched?.(next)
    } catch {
      toastError(t('locale.failed', { language: new Intl.DisplayNames([tagOf(next)], { type: 'language' }).of(next) }))
    } finally {
      setPending(null)
    }
  }
  return { pending, change }
}
