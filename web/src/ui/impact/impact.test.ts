import { beforeAll, describe, expect, it } from 'vitest'
import type { Impact } from '@/api/model'
import { startTexts } from '@/i18n'
import { impactWords, reaches } from './impact'

const none: Impact = { white_labels: [], parcours: [], shares: { permanent: 0, temporary: 0, opened: 0, qr_printed: 0 }, total: { white_labels: 0, parcours: 0 } }

describe('whom an act reaches', () => {
  beforeAll(() => startTexts('fr', ['common']))
  it('is nobody when nothing shows it', () => {
    expect(reaches(none)).toBe(false)
    expect(impactWords(none)).toEqual([])
  })
  it('names white-labels and parcours, and counts links and printed codes', () => {
    const words = impactWords({ white_labels: [{ id: 1, name: 'Sauvelle' }], parcours: [1, 2, 3, 4, 5, 6, 7].map((id) => ({ id, title: { fr: `P${id}` } })), shares: { permanent: 1, temporary: 2, opened: 12, qr_printed: 3 }, total: { white_labels: 1, parcours: 107 } })
    expect(words[0]).toContain('Sauvelle')
    expect(words[1]).toContain('« P5 »')
    expect(words[1]).toContain('102 autres')
    expect(words[1]).not.toContain('« P6 »')
    expect(words.slice(2).join(' ')).toMatch(/1 lien permanent.*2 liens temporaires.*12 fois.*3 codes QR/)
  })
})
