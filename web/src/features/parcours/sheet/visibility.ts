import { valueAt, type Values } from '@/records/form/paths'

/** The simplified view: what one must fill for a parcours to be worth publishing. The rest is the advanced view. */
export const simpleFields: readonly string[] = ['title', 'summary', 'description', 'practice_type_id', 'level_id', 'media_ids', 'steps']
/** Fields that may never be left empty. */
export const requiredFields: readonly string[] = ['title']

/** Values that say nothing: a record begins with them. */
const neutral: readonly unknown[] = [undefined, null, '', false, 0, 'none', 'inherit']

/** Whether the field has a value. */
export function isFilled(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (typeof value === 'object' && value !== null) return Object.values(value).some(isFilled)
  return !neutral.includes(value)
}

export interface Visibility {
  advanced: boolean
  values: Values
  /** Paths of the server's faults. */
  faults: readonly string[]
  /** Paths with unsaved changes: a field that was just emptied does not go from under the cursor. */
  dirty: readonly string[]
}

const within = (paths: readonly string[], field: string) => paths.some((path) => path === field || path.startsWith(`${field}.`))

/** A field that is required, invalid or filled is never hidden. A deposit of zero is an answer too (it disables it). */
export function isShown(field: string, { advanced, values, faults, dirty }: Visibility): boolean {
  if (advanced || simpleFields.includes(field) || requiredFields.includes(field)) return true
  const value = valueAt(values, field)
  const filled = field === 'deposit_percent' || field === 'price_cents' ? value !== null && value !== undefined : isFilled(value)
  return filled || within(faults, field) || within(dirty, field)
}
