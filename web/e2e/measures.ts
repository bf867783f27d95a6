import { expect, type Locator, type Page } from '@playwright/test'

/** The line's length, time and climb in the editor. */
export const measures = (page: Page): Locator => page.getByRole('group', { name: 'Mesures' })

/**
 * The text of the measures once it no longer changes: the link to the surfaces comes last, by a separate request.
 * Read before that, the text would be another one a moment later, on the same line.
 */
export async function settledMeasures(page: Page): Promise<string> {
  await expect(page.getByText('Calcul en cours')).toHaveCount(0, { timeout: 30_000 })
  await expect(measures(page)).toContainText(/\d,\d\skmDurée\d.*Sols et voies$/, { timeout: 30_000 })
  return (await measures(page).textContent()) ?? ''
}
