import { beforeAll, expect, it } from 'vitest'
import { ProblemError } from '@/api/problem'
import { ensureTexts, textFor } from '@/i18n'
import { saveErrorOf } from './save-error'

beforeAll(() => ensureTexts('sheet'))

const refusal = (...fields: string[]) =>
  new ProblemError(422, { code: 'validation/invalid', errors: fields.map((field) => ({ code: 'validation/unknown-reference', field })) })
const words = (problem: unknown) => textFor(`sheet:${saveErrorOf(problem)}`)

it('says « Erreur lors de la sauvegarde de la difficulté » where only the difficulty is refused', () => {
  expect(words(refusal('/level_id'))).toBe('Erreur lors de la sauvegarde de la difficulté')
  expect(words(refusal('/level_id', '/special_levels/effort'))).toBe('Erreur lors de la sauvegarde de la difficulté')
  expect(words(refusal('/level_id', '/title/fr'))).toBe('Erreur lors de la sauvegarde du parcours')
  expect(words(new Error('connection'))).toBe('Erreur lors de la sauvegarde du parcours')
})
