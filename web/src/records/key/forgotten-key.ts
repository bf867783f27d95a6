import { translate } from '@/i18n'
import { toastError } from '@/ui/feedback/toast'

const signs = ['credential_set', 'key_hint', 'translation_key_set'] as const

function hasKey(record: object): boolean {
  const fields = record as Partial<Record<(typeof signs)[number], unknown>>
  return signs.some((sign) => typeof fields[sign] === 'string' || fields[sign] === true)
}

/** Says that a save made the server forget a key: its address moved to another server. */
export function reportForgottenKey(before: object | null, after: object): void {
  if (before !== null && hasKey(before) && !hasKey(after)) toastError(translate('resource:sourceKey.forgotten'))
}
