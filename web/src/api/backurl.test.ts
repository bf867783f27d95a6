import { expect, it } from 'vitest'
import { safeBackurl } from './backurl'

it.each(['/parcours', '/parcours/12?tab=sales#steps', '/en/parcours', '/parcours?search=a%20b&page=2', '/é'])(
  'goes back to a path of ours: %s',
  (path) => {
    expect(decodeURI(safeBackurl(path))).toBe(decodeURI(path))
  },
)

it.each([
  'https://evil.example/',
  '//evil.example/x',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'parcours',
  '',
  ' /parcours',
  '/\t/evil.example',
  '/\n/evil.example',
  '/..//evil.example',
  '/.//evil.example',
  '/login',
  '/en/login?backurl=/x',
  '/login/reset?token=x',
  undefined,
  null,
  42,
  ['/parcours'],
])('refuses to go to %j', (path) => {
  expect(safeBackurl(path)).toBe('/')
})
