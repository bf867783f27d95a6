import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { tagOf, type Locale } from '@/i18n'
import { toastError } from '@/ui/feedback/toast'
import { mayChangePage } from './page-change'
import { switchLocale, withLocale } from '@/i18n/locale'

/** Change language on the same screen, whose address `moveUrl` moves; `pending` names the language on its way. */
export function useLocaleSwitch(moveUrl: (address: string) => Promise<void>, onSwitched?: (locale: Locale) => void) {
  const { t } = useTranslation('shell')
  const [pending, setPending] = useState<Locale | null>(null)
  const change = async (next: Locale) => {
    if (pending !== null || !(await mayChangePage())) return
    setPending(next)
    try {
      await switchLocale(next, {
        moveUrl: async () => {
          const { pathname, search, hash } = window.location
          await moveUrl(`${withLocale(pathname, next)}${search}${hash}`)
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
