import { expect, it } from 'vitest'
import type { StepKind } from '@/api/types'
import { stepLabels } from './step-labels'
import cases from './step-labels.cases.json'

// The server numbers the steps of pages and roadbooks: its test reads the same file.
it('numbers the steps as the server does', () => {
  expect(cases.length).toBeGreaterThan(3)
  for (const { kinds, labels } of cases) expect(stepLabels(kinds.map((kind) => ({ kind: kind as StepKind })))).toEqual(labels)
})
