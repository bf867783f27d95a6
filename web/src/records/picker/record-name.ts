import type { Text } from '@/api/types'
import { textOf } from '@/ui/format'

export const isText = (value: unknown): value is Text => typeof value === 'object' && value !== null

/** What a record of any kind is called. */
export function recordName(record: Record<string, unknown>): string {
  for (const key of ['title', 'name', 'label', 'long_name', 'file_name']) {
    const value = record[key]
    if (typeof value === 'string' && value !== '') return value
    if (isText(value)) return textOf(value)
  }
  const person = [record['first_name'], record['last_name']]
    .filter((part): part is string => typeof part === 'string' && part !== '')
    .join(' ')
  return person === '' ? `#${String(record['id'])}` : person
}
