// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startTexts } from '@/i18n'
import { readNumber } from './field/inputs'
import { calendarToday, format, textOf } from './format'

const seen = (text: string) => text.replaceAll('\u00a0', '_').replaceAll('\u202f', '~')

describe('in French', () => {
  beforeEach(() => startTexts('fr', ['common']))
  it('writes comma, narrow thousands and no-break units', () => {
    expect(
      [
        format.distance(12_740),
        format.distance(950),
        format.percent(94.96),
        format.number(1998),
        format.duration(14_700),
        format.duration(3000),
        format.bytes(20_971_520),
        format.money(1250),
      ].map(seen),
    ).toEqual(['12,7~km', '950~m', '94,9~%', '1~998', '4~h~05', '50~min', '21~Mo', '12,50_€'])
  })
  it('rounds a percentage down, and never because of floating point', () => {
    expect([94.96, 95, 100, 0, 97.1].map((value) => seen(format.percent(value)))).toEqual([
      '94,9~%',
      '95,0~%',
      '100,0~%',
      '0,0~%',
      '97,1~%',
    ])
  })
  it('tells the marks of an axis apart, however short it is', () => {
    expect(
      [format.axisKm([0, 5, 10]), format.axisKm([0, 0.5, 1]), format.axisKm([0, 0.05, 0.1, 0.15]), format.axisKm([0, 0.25, 0.5])].map(
        (marks) => marks.map(seen).join(' '),
      ),
    ).toEqual(['0~km 5 10', '0~km 0,5 1,0', '0~km 0,05 0,10 0,15', '0~km 0,25 0,50'])
  })
  it('writes a slope with its sign', () => {
    expect([4.4, -12, -0.2].map((value) => seen(format.signedPercent(value)))).toEqual(['4~%', '−12~%', '0~%'])
  })
  it('says how long ago', () => {
    const now = new Date('2026-11-21T12:00:00Z')
    const ago = (instant: string) => seen(format.ago(instant, now)).replaceAll('_', ' ')
    expect([
      ago('2026-11-21T11:59:40Z'),
      ago('2026-11-21T11:58:00Z'),
      ago('2026-11-21T10:00:00Z'),
      ago('2026-11-20T11:00:00Z'),
      ago('2026-10-01T11:00:00Z'),
      ago('2025-10-01T11:00:00Z'),
    ]).toEqual(['à l’instant', 'il y a 2 min', 'il y a 2 h', 'hier', '1er oct.', '1er oct. 2025'])
  })
  it('shows a dash for a time that cannot be read', () => {
    const wild = '-7971-11-27T21:00:01Z'
    expect([format.ago(wild), format.instant(wild), format.time(wild), format.day(wild), format.day('2026-02-99')]).toEqual(
      Array.from({ length: 5 }, () => '–'),
    )
  })
  it('shows a text in the language of the screen, else in one that has it', () => {
    expect([textOf({ fr: 'Lac', en: 'Lake' }), textOf({ fr: '', en: 'Lake' }), textOf({}), textOf(null)]).toEqual([
      'Lac',
      'Lake',
      'Sans titre',
      'Sans titre',
    ])
  })
})

it('in English writes points and its own plurals of hours', async () => {
  await startTexts('en', ['common'])
  expect([format.distance(12_740), format.percent(94.96), format.number(1998), format.duration(14_700)].map(seen)).toEqual([
    '12.7~km',
    '94.9%',
    '1,998',
    '4~h~05~min',
  ])
})

describe('a day of the calendar', () => {
  afterEach(() => vi.unstubAllEnvs())
  it.each(['America/Martinique', 'Pacific/Noumea', 'Europe/Paris'])(
    'is the same day in %s, and an instant is shown in the time zone there',
    async (zone) => {
      vi.stubEnv('TZ', zone)
      await startTexts('fr', ['common'])
      expect([format.day('2026-05-01'), format.longDay('2026-05-01')].map(seen)).toEqual(['1er mai 2026', 'vendredi 1er mai 2026'])
      // Eight in the evening of the 30th in Martinique is the 1st in Paris.
      expect(calendarToday(new Date('2026-05-01T00:30:00Z'))).toBe(zone === 'America/Martinique' ? '2026-04-30' : '2026-05-01')
      await startTexts('en', ['common'])
      expect(format.day('2026-05-01')).toBe('1 May 2026')
      expect(format.longDay('2026-05-11').replace(',', '')).toBe('Monday 11 May 2026')
    },
  )
})

it('reads a number as people write it', () => {
  expect(['12,5', '12.5', '1 234', '1\u202f234,5', '', '-3', '12,5,3', 'douze', '1e5', ','].map(readNumber)).toEqual([
    12.5,
    12.5,
    1234,
    1234.5,
    null,
    -3,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
