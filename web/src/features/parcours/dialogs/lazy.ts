import { ensureTexts } from '@/i18n'
import { lazyDialog } from '@/ui/dialog/lazy-dialog'

/* The dialogs of one parcours, fetched with their words when they are opened: from the list or from the sheet. */

export const DeleteDialog = lazyDialog(async () => {
  await ensureTexts('sheet')
  return import('./DeleteDialog')
})
export const DuplicateDialog = lazyDialog(async () => {
  await ensureTexts('sheet')
  return import('./DuplicateDialog')
})
