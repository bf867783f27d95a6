import { lazy } from 'react'
import { ensureTexts } from '@/i18n'

/* The dialogs of one parcours, fetched with their words when they are opened: from the list or from the sheet. */

export const DeleteDialog = lazy(async () => {
  await ensureTexts('sheet')
  return import('./DeleteDialog')
})
export const DuplicateDialog = lazy(async () => {
  await ensureTexts('sheet')
  return import('./DuplicateDialog')
})
