import { beforeEach, expect, test, vi } from 'vitest'

const toastError = vi.hoisted(() => vi.fn())
vi.mock('@/ui/feedback/toast', () => ({ toastError }))
vi.mock('@/i18n', () => ({ translate: (key: string) => key }))

const { reportForgottenKey } = await import('./forgotten-key')

beforeEach(() => toastError.mockClear())

test.each([
  [{ credential_set: true }, { credential_set: false }, 1],
  [{ key_hint: '42a0' }, { key_hint: null }, 1],
  [{ translation_key_set: true }, { translation_key_set: false }, 1],
  [{ key_hint: '' }, { key_hint: null }, 1],
  [{ credential_set: true }, { credential_set: true }, 0],
  [{ credential_set: false }, { credential_set: false }, 0],
  [{ name: 'Lac' }, { name: 'Étang' }, 0],
  [null, { credential_set: false }, 0],
])('%j then %j is reported %d times', (before, after, times) => {
  reportForgottenKey(before, after)
  expect(toastError).toHaveBeenCalledTimes(times)
})
