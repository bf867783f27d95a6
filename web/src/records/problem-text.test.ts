// @vitest-environment jsdom
import { beforeAll, expect, it } from 'vitest'
import { startTexts } from '@/i18n'
import { faultText } from './problem-text'

const plain = (words: string) => words.replace(/\s/gu, ' ')

beforeAll(() => startTexts('fr', ['common', 'errors']))

it('writes the days of a fault as people do, and quotes what was typed', () => {
  expect(plain(faultText({ code: 'survey-campaign/order', params: { from: '2026-12-05', to: '2026-12-01' } }))).toBe(
    'Le dernier jour (1er déc. 2026) est avant le premier (5 déc. 2026).',
  )
  expect(plain(faultText({ code: 'validation/bad-date', params: { value: '2026-02-30' } }))).toBe('« 2026-02-30 » n’est pas une date.')
  expect(plain(faultText({ code: 'feed/no-endpoint', params: { name: '2026-02-03' } }))).toBe('Il n’y a pas de liste « 2026-02-03 ».')
})
