import { expect, test } from '@playwright/test'
import { expectAccessible } from './axe'
import { demoUrl } from './servers'
import { signIn } from './session'

// The longest journey. Files run in the order of their names: it begins first, so that nothing waits for it at the end.

/** The paths of the specification that the staff may open, and the additional paths of Jalon. */
const paths = [
  '/',
  '/parcours',
  '/parcours/new',
  '/parcours/1',
  '/parcours/1/edit-trace',
  '/pois',
  '/pois/1',
  '/medias',
  '/medias/1',
  '/lignes',
  '/lignes/1/edit',
  '/lignes/flux',
  '/account',
  '/settings',
  '/settings/marques-blanches',
  '/settings/marques-blanches/1',
  '/settings/balisages',
  '/settings/categories-pois',
  '/settings/contacts',
  '/settings/equipements',
  '/settings/itineraires',
  '/settings/itineraires/1',
  '/settings/niveaux',
  '/settings/structures',
  '/settings/tags',
  '/settings/thematiques-parcours',
  '/settings/thematiques-pois',
  '/settings/types-pratiques',
  '/settings/users',
  '/settings/users/2',
  '/settings/corbeille',
  '/help',
  '/widget',
  '/marque-blanche-prestataire',
  '/marque-blanche-prestataire/new',
]

test('every path shows its page in both languages, and axe finds nothing there', async ({ page }) => {
  test.setTimeout(300_000)
  await page.goto(demoUrl)
  await signIn(page, '/settings', 'superadmin@demo.jalon.example')
  for (const prefix of ['', '/en']) {
    for (const path of paths) {
      await page.goto(demoUrl + prefix + (path === '/' && prefix ? '' : path))
      await expect(page.locator('h1').first()).toBeVisible()
      // The page of an error has a title too.
      await expect(page.locator('main[data-variant]')).toHaveCount(0)
      await expect(page.getByText(/Page introuvable|Page not found/)).toHaveCount(0)
      await expect(page.locator('html')).toHaveAttribute('lang', prefix ? /^en/ : /^fr/)
      await expectAccessible(page)
    }
  }
})
