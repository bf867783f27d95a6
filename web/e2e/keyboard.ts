import { expect, type Locator, type Page } from '@playwright/test'

/** More than the focusable elements of any page. */
const MAX_STOPS = 220

/** Moves the focus to an element with Tab alone, as a user without a mouse does. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeVisible()
  for (let stop = 0; stop < MAX_STOPS; stop++) {
    if (await target.evaluate((element) => element === document.activeElement || element.contains(document.activeElement))) return
    await page.keyboard.press(key)
  }
  throw new Error(`Tab does not reach ${String(target)}`)
}

/** Moves the focus to an element and presses a key. */
export async function tabAndPress(page: Page, target: Locator, press = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(press)
}

/** Moves the focus to a field and replaces its text. */
export async function tabAndType(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}

/** Puts the next point under the cross of a map; before the map has loaded a press does nothing, so it is repeated. */
export async function putPoint(page: Page, count: number): Promise<void> {
  const counter = page.getByText(new RegExp(`^${count} points?, `))
  await expect(async () => {
    if (!(await counter.isVisible())) await page.keyboard.press('Enter')
    await expect(counter).toBeVisible({ timeout: 5_000 })
  }).toPass()
}

/** Expects a visible focus indicator on the focused element. */
export async function expectFocusSeen(page: Page): Promise<void> {
  const outline = await page.evaluate(() => {
    const style = getComputedStyle(document.activeElement ?? document.body)
    return { width: Number.parseFloat(style.outlineWidth), style: style.outlineStyle, shadow: style.boxShadow }
  })
  expect(outline.style !== 'none' ? outline.width : outline.shadow === 'none' ? 0 : 2).toBeGreaterThanOrEqual(1)
}
