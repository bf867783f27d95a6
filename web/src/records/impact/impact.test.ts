// @vitest-environment jsdom
import { beforeAll, describe, expect, it } from 'vitest'
import { startTexts } from '@/i18n'
import { nobody } from '../../../test/impact'
import { impactWords, reaches } from './impact'

describe('whom an act reaches', () => {
  beforeAll(() => startTexts('fr', ['common']))
  it('is nobody when nothing shows it', () => {
    expect(reaches(nobody)).toBe(false)
    expect(impactWords(nobody)).toEqual([])
  })
  it('names white-labels and parcours, and counts links and printed codes', () => {
    const words = impactWords({
      white_labels: [{ id: 1, name: 'Sauvelle' }],
      parcours: [1, 2, 3, 4, 5, 6, 7].map((id) => ({ id, title: { fr: `P${id}` } })),
      shares: { permanent: 1, temporary: 2, opened: 12, qr_printed: 3 },
      total: { white_labels: 1, parcours: 107, hidden_parcours: 0 },
    })
    expect(words[0]).toContain('Sauvelle')
    expect(words[1]).toContain('«\u00a0P5\u00a0»')
    expect(words[1]).toContain('102 autres')
    expect(words[1]).not.toContain('P6')
    expect(words.slice(2).join(' ')).toMatch(/1 lien permanent.*2 liens temporaires.*12 fois.*3 codes QR/)
  })
  it('counts the parcours that one does not see, and names none of them', () => {
    const plain = (words: readonly string[]) => words.map((one) => one.replace(/\s/g, ' '))
    const some = impactWords({
      ...nobody,
      parcours: [{ id: 1, title: { fr: 'P1' } }],
      total: { white_labels: 0, parcours: 4, hidden_parcours: 3 },
    })
    expect(plain(some)).toEqual(['4 parcours en dépendent : « P1 » et 3 autres que vous ne voyez pas.'])
    const none = impactWords({ ...nobody, total: { white_labels: 0, parcours: 1, hidden_parcours: 1 } })
    expect(plain(none)).toEqual(['Un parcours en dépend : 1 que vous ne voyez pas.'])
  })
})
