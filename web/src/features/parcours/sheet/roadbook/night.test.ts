import { describe, expect, it } from 'vitest'
import type { Poi, SitRecordPage } from '@/api/types'
import { ProblemError } from '@/api/problem'
import { aStep } from '../../../../../test/parcours'
import { roadbookSettings } from '../../../../../test/roadbook'
import { dayOfNight, filled, nightOver, nightsAt, placeOfPoi, placeOfSit, voucherOf } from './night'
import { atTheirNights, blankStay, toValues, writtenStays } from './values'

const stay = { ...blankStay(2), kind: 'Gîte', address: ['Typed'], code: '2741' }

describe('a night', () => {
  it('takes name, address, telephone and web site of a POI, and keeps the rest', () => {
    const poi = {
      title: { fr: 'Auberge du Pré' },
      address: { street: '4, rue des Écoles', postcode: '48000', city: 'Mende', country: 'FR' },
      phone: '+33353014210',
      website: 'https://pre.example/',
    } as unknown as Poi
    expect(filled(stay, placeOfPoi(poi))).toEqual({
      ...stay,
      name: 'Auberge du Pré',
      address: ['4, rue des Écoles', '48000 Mende'],
      phone: '+33353014210',
      web: 'https://pre.example/',
    })
    const bare = {
      title: {},
      address: { street: null, postcode: null, city: null, country: null },
      phone: null,
      website: null,
    } as unknown as Poi
    expect(filled(stay, placeOfPoi(bare))).toEqual(stay)
  })

  it('takes of a tourist record what is said otherwise here before what its source says', () => {
    const record = {
      title: { fr: 'Gîte du Lac' },
      said: { phone: '0102', website: 'https://lac.example', address: { street: null, postcode: '05000', city: 'Gap' } },
      overrides: { phone: '0304' },
    } as unknown as SitRecordPage
    expect(placeOfSit(record)).toEqual({ name: 'Gîte du Lac', address: ['05000 Gap'], phone: '0304', web: 'https://lac.example' })
  })

  it('begins after all nights before it, and makes its voucher', () => {
    const nights = [
      aStep({ id: 2, kind: 'night' }),
      aStep({ id: 3, kind: 'nights', nights: 3 }),
      aStep({ id: 4, kind: 'step_night' }),
    ] as const
    expect(nights.map((night) => dayOfNight('2027-05-30', nights, night))).toEqual(['2027-05-30', '2027-05-31', '2027-06-03'])
    expect([dayOfNight(null, nights, nights[0]), dayOfNight('soon', nights, nights[1])]).toEqual([null, null])
    expect(nightsAt(aStep({ kind: 'nights', nights: null }))).toBe(2)
    expect(voucherOf({ ...stay, name: 'Auberge', phone: '01' }, nights[0], '2027-05-30', '2', '1 nuit')).toEqual({
      provider: 'Auberge',
      place: 'Typed',
      phone: '01',
      date: '2027-05-30',
      service: '1 nuit',
      people: '2',
      settlement: '',
    })
  })

  it('of a client is that of the parcours with what the client has of their own, or another house', () => {
    const usual = { ...stay, name: 'Auberge du Pré', phone: '+33353014210' }
    const blank = blankStay(2)
    expect(nightOver({ ...blank, room: '7' }, usual)).toEqual({ ...usual, room: '7' })
    expect(nightOver({ ...blank, name: 'Auberge du Pré', code: '11' }, usual)).toEqual({ ...usual, code: '11' })
    const moved = { ...blank, name: 'Hôtel de la Gare' }
    expect([nightOver(moved, usual), nightOver(moved, undefined)]).toEqual([moved, moved])
  })

  it('is sent when a photo alone was chosen for it', () => {
    const blank = blankStay(2)
    expect(writtenStays([blank, { ...blank, media_id: 9 }])).toEqual([{ ...blank, media_id: 9 }])
  })

  it('gets its own fault, though nights without a word are not sent', () => {
    const steps = [aStep({ id: 1, kind: 'night' }), aStep({ id: 2, kind: 'night' })]
    const settings = roadbookSettings({ stays: [stay] })
    const refused = new ProblemError(422, {
      code: 'validation/failed',
      errors: [
        { code: 'validation/too-long', field: '/stays/0/phone', params: { max: 120 } },
        { code: 'validation/required', field: '/vouchers/0/provider', params: {} },
      ],
    })
    const moved = atTheirNights(refused, toValues(settings, steps).stays) as ProblemError
    expect(moved.faults.map(({ field }) => field)).toEqual(['/stays/1/phone', '/vouchers/0/provider'])
    expect([moved.status, moved.code]).toEqual([422, 'validation/failed'])
  })
})
