import { ProblemError } from '@/api/problem'
import { faultText } from '@/ui/problem-text'
import type { Faults } from './Options'

/** What a refusal says of each field of a source. */
export function faultsOf(error: unknown): Faults {
  if (!(error instanceof ProblemError)) return {}
  return Object.fromEntries(error.faults.map((fault) => [fault.field?.split('/')[1] ?? '', faultText(fault)]))
}
