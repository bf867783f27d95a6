import { ProblemError } from '@/api/problem'

/** The words of a refused save: a refusal of the difficulty alone has its own. */
export function saveErrorOf(problem: unknown): 'error.save' | 'error.difficulty.save' {
  const faults = problem instanceof ProblemError ? problem.faults : []
  const isOfDifficulty = ({ field = '' }) => field === '/level_id' || field.startsWith('/special_levels')
  return faults.length > 0 && faults.every(isOfDifficulty) ? 'error.difficulty.save' : 'error.save'
}
