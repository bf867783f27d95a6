// @vitest-environment jsdom

import { beforeEach, expect, it } from 'vitest'
import { startTexts } from '@/i18n'
import { mediaFacts } from './facts'

beforeEach(() => startTexts('fr', ['common']))

const durationOf = (duration: number) =>
  mediaFacts({ width: null, height: null, duration_s: duration, pages: null, bytes: 1 }).split(' · ')[0]

it('writes a duration in minutes and seconds, and never sixty seconds', () => {
  expect([42, 59.4, 59.6, 119.7].map(durationOf)).toEqual(['0:42', '0:59', '1:00', '2:00'])
})
