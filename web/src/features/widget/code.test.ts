import { describe, expect, it } from 'vitest'
import { codeOf, frameAddress, missing, type Choice, type WidgetFacts } from './code'

const facts: WidgetFacts = { key: 'w3-abc', script_url: 'https://jalon.example/widget/v1.js', frame_url: 'https://jalon.example/widget/v1/frame', origins: [], open: true, color: '#0B5F50' }
const choice: Choice = { show: 'list', whiteLabel: 3, parcours: null, which: 'all', ids: [], practices: [], themes: [], lang: 'fr', color: null, height: 600 }

describe('the code of a widget', () => {
  it('is one script and one element', () => {
    expect(codeOf(choice, facts, 'script', 'Parcours')).toBe(
      '<script type="module" src="https://jalon.example/widget/v1.js"></script>\n<jalon-widget key="w3-abc" show="list" lang="fr" color="#0b5f50" height="600"></jalon-widget>',
    )
  })

  it('says of what was chosen only what counts', () => {
    const one: Choice = { ...choice, show: 'parcours', parcours: 12, ids: [1], practices: [2], which: 'filtered' }
    expect(codeOf(one, facts, 'script', '')).toContain('show="parcours" parcours="12" lang="fr"')
    expect(codeOf({ ...one, show: 'map' }, facts, 'script', '')).toContain('show="map" practices="2" lang')
    expect(codeOf({ ...one, show: 'map', which: 'chosen', ids: [4, 5] }, facts, 'script', '')).toContain('show="map" ids="4,5" lang')
  })

  it('is a frame whose address holds the same, and whose words open no tag', () => {
    expect(frameAddress({ ...choice, which: 'chosen', ids: [4, 5] }, facts)).toBe('https://jalon.example/widget/v1/frame?key=w3-abc&show=list&ids=4,5&lang=fr&color=%230b5f50&height=600')
    expect(codeOf(choice, facts, 'frame', 'Le "tour" <b>')).toContain('title="Le &quot;tour&quot; &lt;b>" width="100%" height="600"')
  })

  it('wants what its steps ask for', () => {
    expect(missing({ ...choice, show: null }).what).toBe('showMissing')
    expect(missing({ ...choice, show: 'parcours' }).what).toBe('parcoursMissing')
    expect(missing({ ...choice, which: 'filtered' }).what).toBe('filterMissing')
    expect(missing({ ...choice, which: 'chosen' }).what).toBe('chosenMissing')
    expect(missing({ ...choice, color: '#12', height: 100 })).toEqual({ what: null, color: true, height: true })
    expect(missing(choice)).toEqual({ what: null, color: false, height: false })
  })
})
