import { expect, it } from 'vitest'
import { addressFault } from './address'

it('tells a wrong address as the server does', () => {
  expect(
    ['https://exemple.fr', 'http://a.b-c.fr:8080/x?y=1#z', 'HTTPS://été.fr/é', 'https://api.fr/feed/[CLE]', '', null].map(addressFault),
  ).toEqual(Array(6).fill(undefined))
  expect(
    ['exemple.fr', 'https://', 'https:///x', 'https://a b.fr', 'https://moi@banque.fr', 'https://a..b', 'www'].map(addressFault),
  ).toEqual(Array(7).fill('validation/url-invalid'))
  expect(['ftp://a.fr', 'mailto:a@b.fr', 'javascript:alert(1)'].map(addressFault)).toEqual(Array(3).fill('validation/url-scheme'))
})
