import { useState } from 'react'

/** The same array as before while its elements are the same. */
export function useSame<T>(list: readonly T[]): readonly T[] {
  const [kept, keep] = useState(list)
  if (kept.length === list.length && kept.every((one, index) => one === list[index])) return kept
  keep(list)
  return list
}
