import { useSyncExternalStore } from 'react'
import { payload } from '@/api/payload'
import { queryClient } from '@/api/query-client'
import { translate } from '@/i18n'
import { toast } from '@/ui/feedback/toast'
import { ImportStore, type ImportItem } from '@/records/media/import/store'
import { sendByTus } from '@/records/media/import/tus'

/** The uploads of this window; they continue on other pages of the application. */
export const running = new ImportStore(
  sendByTus,
  () => payload().limits.media,
  () => {
    void queryClient.invalidateQueries({ queryKey: ['media'] })
    toast({ text: translate('media:import.imported') })
  },
)

export const useImports = (): readonly ImportItem[] => useSyncExternalStore(running.subscribe, running.get)
