// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { router } from './router'

interface Route {
  readonly id: string
  readonly fullPath: string
  readonly options: { readonly component?: { readonly preload?: unknown } }
}

const routes = Object.values(router.routesById) as unknown as Route[]

it('loads every page lazily', () => {
  // The two layouts load with the app.
  const pages = routes.filter(({ id, options }) => options.component !== undefined && !['__root__', '/sign-in'].includes(id))
  expect(pages.length).toBeGreaterThan(60)
  const eager = pages.filter(({ options }) => typeof options.component?.preload !== 'function')
  expect(eager.map(({ id }) => id)).toEqual([])
})

it('has a list and a sheet in each sub-area of the settings', () => {
  const paths = new Set(routes.map(({ fullPath }) => fullPath))
  const areas = [
    'balisages',
    'categories-pois',
    'contacts',
    'equipements',
    'imports-parcours',
    'itineraires',
    'logs-imports-parcours',
    'marques-blanches',
    'niveaux',
    'structures',
    'tags',
    'thematiques-parcours',
    'thematiques-pois',
    'types-pratiques',
    'users',
  ]
  const wanted = areas.flatMap((area) => [`/settings/${area}`, `/settings/${area}/$id`])
  // SIT records have a longer address, and translators no list.
  const others = ['/settings', '/settings/pois-sit', '/settings/pois-sit/$lng/$id', '/settings/traducteurs/$id']
  expect([...wanted, ...others].filter((path) => !paths.has(path))).toEqual([])
})

it('begins each page at the top of what scrolls', () => {
  expect(router.options.scrollToTopSelectors).toEqual(['#content'])
})
