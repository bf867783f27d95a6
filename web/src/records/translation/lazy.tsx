import { lazy, Suspense } from 'react'
import { ensureTexts } from '@/i18n'

const withTexts =
  <M,>(read: () => Promise<M>, area = 'translation') =>
  async (): Promise<M> =>
    (await Promise.all([read(), ensureTexts(area)]))[0]

const Field = lazy(withTexts(() => import('./FieldTranslation')))
const Writing = lazy(withTexts(() => import('@/records/assistant/FieldWriting'), 'assistant'))
const Sheet = lazy(withTexts(() => import('./TranslateSheet')))
const Many = lazy(withTexts(() => import('./TranslateMany')))

/** Beside a text in one language: it comes after the form, which is used without it. */
export const FieldTranslation = (props: { name: string; code: string }) => (
  <Suspense fallback={null}>
    <Field {...props} />
    <Writing {...props} />
  </Suspense>
)
export const TranslateSheet = () => (
  <Suspense fallback={null}>
    <Sheet />
  </Suspense>
)
export const TranslateMany = (props: {
  kind: 'parcours' | 'poi' | 'media'
  target: () => { ids: number[] } | { filter: Record<string, string> }
}) => (
  <Suspense fallback={null}>
    <Many {...props} />
  </Suspense>
)
