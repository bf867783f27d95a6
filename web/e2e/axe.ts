import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  nodes: { target: unknown[] }[]
}

/** Expects no violation of WCAG 2.2 A and AA that axe can find. `quiet: false` does not wait for the network to be idle, for a page
 * with a frame that goes on loading: the caller has then waited for the content. */
export async function expectAccessible(page: Page, { quiet = true } = {}): Promise<void> {
  await expect(page.locator('main h1, h1').first()).toBeVisible()
  // Colours in transition would give wrong contrasts.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.all(ending.map((animation) => animation.finished.catch(() => undefined)))
  })
  // A page that was left meanwhile may be gone: the one that stays is judged. Now and then the browser does not report the end of a
  // request of a page that was left, and the network is never idle: the headings below are what must be there.
  if (quiet) await page.waitForLoadState('networkidle', { timeout: 20_000 }).catch(() => undefined)
  await expect(page.locator('main h1, h1').first()).toBeVisible()
  // The script is still there if the page was tested before.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const found = await page.evaluate(async (): Promise<Violation[]> => {
    // axe puts itself on the window.
    const { axe } = window as unknown as {
      axe: { run: (root: Element | Document, options: object) => Promise<{ violations: Violation[] }> }
    }
    // The page behind a modal dialog cannot be used until the dialog closes.
    const root = document.querySelector('[role="dialog"][aria-modal="true"]') ?? document
    const { violations } = await axe.run(root, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      // Passing rules report one element only, which takes a third of the time.
      resultTypes: ['violations'],
      // None of these rules needs external style sheets.
      preload: { assets: ['media'] },
    })
    // Markers of a map may overlap: each one is at its place (exception "essential" of WCAG 2.5.8); the lists have the same items.
    const onMap = (target: unknown): boolean => document.querySelector(String(target))?.closest('.maplibregl-marker') != null
    return violations.map(({ id, nodes }) => ({
      id,
      nodes: id === 'target-size' ? nodes.filter(({ target }) => !onMap(target[0])) : nodes,
    }))
  })
  const real = found.filter(({ nodes }) => nodes.length > 0)
  expect(real.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)).toEqual([])
}
