import { expect, test, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { demoUrl } from './servers'
import { signIn } from './session'

/** Simulates a server whose network was replaced, with parcours of the demo: the tests cannot replace a network. */
async function mockReplacedNetwork(page: Page): Promise<{ seen: number[] }> {
  const all: { items: { id: number; title: object; white_label: object; distance_m: number | null }[] } = await (
    await page.request.get(`${demoUrl}/api/v1/parcours?per_page=50&sort=title`)
  ).json()
  const items = all.items.filter((row) => (row.distance_m ?? 0) > 8000).slice(0, 2)
  const lines = await (
    await page.request.get(`${demoUrl}/api/v1/parcours/map?ids=${items.map(({ id }) => id).join()}&progress=any&zoom=16`)
  ).json()
  const seen: number[] = []
  const score = (percent: number) => ({ percent, state: percent < 95 ? 'low' : 'ok', data_date: null })
  const changes = items.map((row, rank) => {
    const line: [number, number][] = lines.items.find(({ id }: { id: number }) => id === row.id)?.line ?? []
    const stretch = (from: number, cause: string, was: string | null) => ({
      from_km: from,
      to_km: from + 0.4,
      length_m: 400,
      cause,
      was,
      max_offset_m: 60,
      geometry: line.slice(from * 4, from * 4 + 4),
      ways_left: [],
      ways_used: [],
      way_id: null,
      edit_url: null,
    })
    return {
      id: rank + 1,
      run_id: 1,
      parcours: { id: row.id, title: row.title, white_label: row.white_label },
      mine: true,
      editable: true,
      guidance: rank === 0 ? 'lost' : 'gained',
      before: score(rank === 0 ? 97.1 : 90),
      after: score(rank === 0 ? 92.4 : 98.2),
      stretches: [stretch(1, 'no_way', null), stretch(3, 'now_on_way', 'no_way')],
      at: '2026-11-21T17:01:12Z',
      seen: null,
    }
  })
  const counts = { lost: 1, gained: 1, better: 0, worse: 0 }
  const network = (day: string) => ({ engine: 'jalon', data_date: day, checksum: null })
  const run = {
    id: 1,
    state: 'done',
    forced: false,
    asked_by: null,
    before: network('2021-02-01'),
    after: network('2025-11-19'),
    total: 29,
    scored: 29,
    failed: 0,
    counts,
    started_at: '2026-11-21T17:00:00Z',
    finished_at: '2026-11-21T17:02:00Z',
  }
  await page.route('**/api/v1/planner/watch', (route) => route.fulfill({ json: { run, waiting: counts, may_run: false } }))
  await page.route('**/api/v1/planner/watch/changes?**', (route) => {
    const left = changes.filter(({ id }) => !seen.includes(id))
    return route.fulfill({ json: { items: left, total: left.length, total_capped: false, counts } })
  })
  await page.route('**/api/v1/planner/watch/changes/*/seen', (route) => {
    seen.push(Number(/changes\/(\d+)/.exec(route.request().url())?.[1]))
    return route.fulfill({ status: 204 })
  })
  await page.route('**/api/v1/dashboard', async (route) => {
    const answer = await (await route.fetch()).json()
    await route.fulfill({
      json: { ...answer, waiting: { ...answer.waiting, lost_guidance: { count: 1, query: 'owner=mine&guidance=lost' } } },
    })
  })
  return { seen }
}

test('from the dashboard to the parcours that lost its guidance, its stretches on the map, and ticked off', async ({ page }) => {
  await page.goto(demoUrl)
  await signIn(page)
  const { seen } = await mockReplacedNetwork(page)
  await page.goto(`${demoUrl}/`)
  await page.getByRole('link', { name: 'Voir ce qui a changé' }).click()
  await expect(page).toHaveURL(/\/settings\/veille-reseau\?owner=mine&guidance=lost/)
  await expect(page.getByRole('region', { name: 'Dernier changement de réseau' })).toContainText('du 19 nov. 2025')
  const list = page.getByRole('list', { name: 'Parcours dont la fiabilité a changé' })
  await expect(list.getByRole('button', { expanded: true })).toContainText('Guidage perdu')
  // As many letters on the map as in the list.
  await expect(page.getByRole('button', { name: /^Tronçon [AB] : / })).toHaveCount(2, { timeout: 60_000 })
  await expectAccessible(page)
  await list.getByRole('button', { name: /^Voir le tronçon B sur la carte/ }).focus()
  await list
    .getByRole('button', { name: /comme vu$/ })
    .first()
    .click()
  await expect(list.getByRole('button', { expanded: true })).toContainText('Guidage retrouvé')
  expect(seen).toEqual([1])
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('button', { name: /^Tronçon [AB] : / })).toHaveCount(2, { timeout: 30_000 })
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.getByRole('link', { name: 'Ouvrir le tracé' }).click()
  await expect(page).toHaveURL(/\/parcours\/\d+\/edit-trace$/)
})
