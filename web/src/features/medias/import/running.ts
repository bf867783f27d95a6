import { useSyncExternalStore } from 'react'
import { payload } from '@/api/payload'
import { queryClient } from '@/api/query-client'
import { translate } from '@/i18n'
import { toast } from '@/ui/feedback/toast'
import { ImportStore, type ImportItem } from '@/records/media/import/store'
import { sendByTus } from '@/records/media/import/tus'

/** The import of this window: it goes on while one moves about in Jalon. */
export const running = new ImportStore(
  sendByTus,
  () => payload().limits.media,
  () => {
    void queryClient.invalidateQueries({ queryKey: ['media'] })
    toast({ text: translate('medias:import.imported') })
  },
)

export const useImports = (): readonly ImportItem[] => useSyncExternalStore(running.subscribe, running.get)
