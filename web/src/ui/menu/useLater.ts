import { useState } from 'react'
import { translate } from '@/i18n'
import { toastError } from '@/ui/feedback/toast'

/** For what a press opens and whose code is large: the press fetches it, where it was not fetched before, and is not lost. */
export function useLater<M>(read: () => Promise<M>): { module: M | null; open: () => void } {
  const [module, setModule] = useState<M | null>(null)
  const open = () =>
    void read().then(
      (found) => setModule(found),
      () => toastError(translate('form.notFetched')),
    )
  return { module, open }
}
