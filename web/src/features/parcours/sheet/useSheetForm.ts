import { useNavigate } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '@/i18n'
import type { Parcours } from '@/api/types'
import { ProblemError } from '@/api/problem'
import { toast } from '@/ui/feedback/toast'
import { useShowLanguage } from '@/records/form/fields'
import { useResourceForm, type ResourceForm } from '@/records/form/useResourceForm'
import { focusField } from '@/records/form/focus'
import { periodFaults } from './periods'
import { parcoursQuery, revisionQuery, save } from './queries'
import { tabOf, type TabKey } from './tabs'
import { toPatch, toValues, type SheetValues } from './values'

/** Write what the server answered into the cache; lists and figures made of it are asked for again when shown. */
export function useCacheRecord(id: number): (parcours: Parcours) => void {
  const cache = useQueryClient()
  return (parcours) => {
    cache.setQueryData(parcoursQuery(id).queryKey, parcours)
    void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'parcours' && queryKey[1] !== id })
    void cache.invalidateQueries({ queryKey: ['parcours', id, 'shares'] })
  }
}

/** Open a tab of this sheet; the address follows, without a step in the history for each. */
export function useOpenTab(): (tab: TabKey) => Promise<void> {
  const navigate = useNavigate({ from: '/parcours/$id' })
  return (tab) => navigate({ to: '.', search: (search) => ({ ...search, tab }), replace: true, resetScroll: false })
}

/** Opens the tab and the language of a field, then puts the focus on it. */
export function useGoTo(): (path: string) => void {
  const openTab = useOpenTab()
  const showLanguage = useShowLanguage()
  return (path) => {
    const language = /^[a-z_]+\.([a-z]{2})$/.exec(path)?.[1]
    if (language !== undefined) showLanguage(language)
    void openTab(tabOf(path)).then(() => focusField(path))
  }
}

/** The form of a sheet, with its checks before a save and its messages after. */
export function useSheetForm(parcours: Parcours): ResourceForm<Parcours, SheetValues> {
  const { t } = useTranslation('sheet')
  const cache = useQueryClient()
  const cacheRecord = useCacheRecord(parcours.id)
  const goTo = useGoTo()
  return useResourceForm<Parcours, SheetValues>({
    kind: 'parcours',
    record: parcours,
    toValues: (record) => toValues(record ?? parcours),
    save: (changed, version) => {
      const patch: Partial<SheetValues> = changed
      const errors = periodFaults(patch.availability ?? [])
      if (errors.length > 0) throw new ProblemError(422, { code: 'validation/failed', errors })
      return save(parcours.id, toPatch(patch), version ?? parcours.version)
    },
    ancestor: async (version) => ({ ...parcours, ...(await cache.fetchQuery(revisionQuery(parcours.id, version))).parcours }),
    onSaved: (saved, merged) => {
      cacheRecord(saved)
      toast({ text: merged ? t('done.merged') : t('done.saved') })
    },
    reveal: goTo,
  })
}
