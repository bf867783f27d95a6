import type { WidgetFacts } from '@/api/types'
import { describe, expect, it } from 'vitest'
import { codeOf, frameAddress, missing, siteOf, type Choice } from './code'

const facts: WidgetFacts = {
  key: 'w3-abc',
  script_url: 'https://jalon.example/widget/v1.js',
  frame_url: 'https://jalon.example/widget/v1/frame',
  origins: [],
  open: true,
  color: '#0B5F50',
  geotrek: {
    api_url: 'https://jalon.example/k/w3-abc/api/v2/',
    layer_url: 'https://jalon.example/map/squares/{z}/{x}/{y}.svg',
    attribution: '© <a href="https://osm.example">OpenStreetMap</a>',
  },
}
const choice: Choice = {
  show: 'list',
  whiteLabel: 3,
  parcours: null,
  which: 'all',
  ids: [],
  practices: [],
  themes: [],
  lang: 'fr',
  color: null,
  height: 600,
}

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
    expect(frameAddress({ ...choice, which: 'chosen', ids: [4, 5] }, facts)).toBe(
      'https://jalon.example/widget/v1/frame?key=w3-abc&show=list&ids=4,5&lang=fr&color=%230b5f50&height=600',
    )
    expect(codeOf(choice, facts, 'frame', 'Le "tour" <b>')).toContain('title="Le &quot;tour&quot; &lt;b>" width="100%" height="600"')
  })

  it('is Geotrek’s own widget with our address, our map and nothing of a single parcours', () => {
    const code = codeOf({ ...choice, which: 'filtered', practices: [2, 3], themes: [] }, facts, 'geotrek', 'Carte')
    expect(code).toContain(
      '<grw-app api="https://jalon.example/k/w3-abc/api/v2/" languages="fr" app-width="100%" app-height="600px" color-primary-app="#0b5f50" practices="2,3" name-layer="Carte" url-layer="https://jalon.example/map/squares/{z}/{x}/{y}.svg"',
    )
    expect(code).toContain('attribution-layer="© &lt;a href=&quot;https://osm.example&quot;>OpenStreetMap&lt;/a>"></grw-app>')
    expect(
      codeOf({ ...choice, show: 'parcours', parcours: 12, which: 'filtered', practices: [2] }, facts, 'geotrek', 'Carte'),
    ).not.toContain('practices')
  })

  it('is allowed on a site by its address, however it is typed', () => {
    expect(siteOf(' www.mairie.fr/randos ')).toBe('https://www.mairie.fr')
    expect(siteOf('http://localhost:3000/a')).toBe('http://localhost:3000')
    for (const wrong of ['', 'mairie', 'https://', 'la mairie']) expect(siteOf(wrong)).toBeNull()
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
