import { beforeEach, describe, expect, it, vi } from 'vitest'
import { followRouteRules, ruleFor, setRouteRules } from './route-rules'

beforeEach(() =>
  setRouteRules({
    id: 'b',
    matcher: {
      static: { '/old': { redirect: '/parcours' }, '/shop': { redirect: 'https://shop.example/', external: true } },
      wildcard: { '/archive/**': { redirect: '/help' }, '/archive/new/**': { redirect: '/parcours/new' } },
      dynamic: { '/randos/:id': { redirect: '/parcours' } },
    },
  }),
)

describe('the manifest of redirects', () => {
  it.each([
    ['/old', '/parcours'],
    ['/archive', '/help'],
    ['/archive/a/b', '/help'],
    ['/archive/new/x', '/parcours/new'],
    ['/randos/12', '/parcours'],
    ['/randos/12/x', undefined],
    ['/archives', undefined],
    ['/', undefined],
  ])('%s goes to %s', (path, to) => {
    expect(ruleFor(path)?.redirect).toBe(to)
  })
  it('moves inside the app for a path of ours, and leaves it for another site', () => {
    const leave = vi.fn()
    expect(() => followRouteRules('/old', leave)).toThrow()
    expect(leave).not.toHaveBeenCalled()
    followRouteRules('/shop', leave)
    expect(leave).toHaveBeenCalledWith('https://shop.example/')
    expect(() => followRouteRules('/parcours', leave)).not.toThrow()
  })
})
