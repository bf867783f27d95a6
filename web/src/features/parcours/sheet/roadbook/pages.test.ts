import { describe, expect, it } from 'vitest'
import { moved } from '@/ui/list/order'
import { added, addable, mayMove, newPage, removable } from './pages'
import { toSettings, toValues } from './values'
import { aStep } from '../../../../../test/parcours'
import { roadbookSettings } from '../../../../../test/roadbook'

const list = (['front_cover', 'description', 'map', 'notes', 'back_cover'] as const).map(newPage)
const kinds = (pages: readonly { kind: string }[]) => pages.map(({ kind }) => kind)

describe('the pages of a roadbook', () => {
  it('change places between the covers, which stay', () => {
    expect(kinds(moved(list, 3, 1))).toEqual(['front_cover', 'notes', 'description', 'map', 'back_cover'])
    expect([mayMove(list, 1, 2), mayMove(list, 1, 0), mayMove(list, 4, 3), mayMove(list, 3, 5)]).toEqual([true, false, false, false])
  })

  it('are added before the back cover; descriptions and notes as often as one likes', () => {
    const more = added(list, 'description')
    expect([kinds(more.pages), more.index]).toEqual([['front_cover', 'description', 'map', 'notes', 'description', 'back_cover'], 4])
    expect(addable(list)).toContain('description')
    expect(addable(list)).toContain('voucher')
    expect(addable(list)).not.toContain('map')
    expect([removable(list, 1), removable(more.pages, 1)]).toEqual([false, true])
  })
})

describe('the nights of a roadbook', () => {
  const settings = roadbookSettings({ pages: list })
  const steps = [
    aStep({ id: 1, kind: 'departure' }),
    aStep({ id: 2, kind: 'night' }),
    aStep({ id: 3, kind: 'step_night' }),
    aStep({ id: 4, kind: 'arrival' }),
  ]

  it('are those of the steps, and only what was written is sent', () => {
    const values = toValues(settings, steps)
    expect(values.stays.map(({ step_id }) => step_id)).toEqual([2, 3])
    expect(toSettings(values).stays).toEqual([])
    const written = { ...values, stays: values.stays.map((stay) => (stay.step_id === 3 ? { ...stay, room: '7' } : stay)) }
    expect(toSettings(written).stays.map(({ step_id, room }) => [step_id, room])).toEqual([[3, '7']])
  })
})
