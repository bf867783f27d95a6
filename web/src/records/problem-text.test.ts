// @vitest-environment jsdom
import { beforeAll, expect, it } from 'vitest'
import { ProblemError } from '@/api/problem'
import { startTexts } from '@/i18n'
import { faultText, problemText } from './problem-text'

const plain = (words: string) => words.replace(/\s/gu, ' ')

beforeAll(() => startTexts('fr', ['common', 'errors']))

it('writes the days of a fault as people do, and quotes what was typed', () => {
  expect(plain(faultText({ code: 'survey-campaign/order', params: { from: '2026-12-05', to: '2026-12-01' } }))).toBe(
    'Le dernier jour (1er déc. 2026) est avant le premier (5 déc. 2026).',
  )
  expect(plain(faultText({ code: 'validation/bad-date', params: { value: '2026-02-30' } }))).toBe('« 2026-02-30 » n’est pas une date.')
  expect(plain(faultText({ code: 'feed/no-endpoint', params: { name: '2026-02-03' } }))).toBe('Il n’y a pas de liste « 2026-02-03 ».')
})

it('calls a request without an answer a connection error', () => {
  expect(plain(problemText(new ProblemError(0, { code: 'connection' })))).toBe(
    'Erreur de connexion : le serveur ne répond pas. Vérifiez votre réseau, puis réessayez.',
  )
})

it('names the line of a damaged file where it is known', () => {
  expect(plain(faultText({ code: 'trace/malformed', params: { line: 3 } }))).toBe('Le fichier est abîmé à la ligne 3.')
  expect(plain(faultText({ code: 'trace/malformed', params: {} }))).toBe('Le fichier est abîmé, ou s’arrête au milieu.')
})
