// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { positionAt, readTrace } from './trace-data'

/** The line of a page, 2 km going east on the equator, as the server writes it. */
function page(attributes: string) {
  const lon = (2_000 / 6_371_008.8) * (180 / Math.PI)
  document.body.innerHTML = `<script id="trace" type="application/json"${attributes}>[[0,0],[${lon / 2},0],[${lon},0]]</script>`
  const trace = readTrace()
  if (!trace) throw new Error('the page has no line')
  return { trace, halfLon: lon / 2 }
}

describe('the line of a public page', () => {
  it('has the length that the page shows, which may be typed', () => {
    const { trace, halfLon } = page(' data-length-m="5000"')
    expect(trace.along.map(Math.round)).toEqual([0, 2500, 5000])
    expect(positionAt(trace, 2500)[0]).toBeCloseTo(halfLon, 6)
  })

  it('has its own length where the page shows none', () => {
    expect(page('').trace.along.map(Math.round)).toEqual([0, 1000, 2000])
  })
})
