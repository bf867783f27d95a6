import { render, screen } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import { startTexts } from '@/i18n'
import { PublicationBadge } from './record-badges'

beforeAll(() => startTexts('fr', ['common']))

describe('the badge of a publication', () => {
  it.each([
    [{ published: true, mine: true, published_on_mine: null }, 'Publié'],
    [{ published: false, mine: true, published_on_mine: null }, 'Non publié'],
    [{ published: true, mine: false, published_on_mine: true }, 'Publié chez moi'],
    [{ published: true, mine: false, published_on_mine: false }, 'Publié ailleurs'],
    [{ published: true, mine: false, published_on_mine: null }, 'Publié ailleurs'],
    [{ published: false }, 'Non publié'],
  ])('of %j says %s, wherever it is shown', (record, words) => {
    render(<PublicationBadge record={record} />)
    expect(screen.getByText(words, { exact: true })).not.toBeNull()
  })
})
