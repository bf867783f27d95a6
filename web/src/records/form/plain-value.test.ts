// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startTexts } from '@/i18n'
import { chipText } from '@/records/list/filters'
import { plainValue } from './plain-value'

describe('a day of the calendar', () => {
  afterEach(() => vi.unstubAllEnvs())
  it.each(['America/Martinique', 'Pacific/Noumea', 'Europe/Paris'])(
    'is the same day in %s, as the value of a field and as a filter',
    async (zone) => {
      vi.stubEnv('TZ', zone)
      await startTexts('fr', ['common'])
      expect(plainValue('2026-05-01')).toBe('1er mai 2026')
      expect(chipText({ key: 'a', label: 'Du', kind: 'range', of: 'date' }, '2026-05-01..')).toBe('Du\u202f: 1er mai 2026 – …')
    },
  )
})
