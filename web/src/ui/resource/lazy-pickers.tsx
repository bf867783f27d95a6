import { lazy, Suspense, type ComponentProps } from 'react'
import { Skeleton } from '@/ui/feedback/Skeleton'

// The list that opens under a field weighs more than the field: it comes after the page is there.
const One = lazy(() => import('./RecordPicker').then(({ PickOne: Picker }) => ({ default: Picker })))
const Many = lazy(() => import('./RecordPicker').then(({ PickMany: Picker }) => ({ default: Picker })))
const waiting = <Skeleton height={36} />

/** One record, found by typing. */
export const PickOne = (props: ComponentProps<typeof One>) => (
  <Suspense fallback={waiting}>
    <One {...props} />
  </Suspense>
)

/** Several records, in the order they were chosen. */
export const PickMany = (props: ComponentProps<typeof Many>) => (
  <Suspense fallback={waiting}>
    <Many {...props} />
  </Suspense>
)
