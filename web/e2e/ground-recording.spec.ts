import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { deviceCalls, phone, fakeDevice, takeOffline } from './ground'
import { createRecord, run, signInByApi } from './records'
import { demoUrl, sharedData } from './servers'

/** Positions as a device recorded them, with their errors and their times, instead of places computed beside a line. */

test.use({ ...phone, permissions: ['geolocation'] })

/** A hike in the Cévennes, recorded by a Garmin eTrex: the last quarter of an hour goes back on the way of the beginning. */
const file = join(sharedData, 'tracks/real/garmin_etrex32_hike_2.gpx')
/** The way out ends at this point; the way back comes near it again at the other one. */
const OUT = 378
const BACK = 661
/** The file has no accuracies. */
const ACCURACY_M = 8

interface Recorded {
  lon: number
  lat: number
  at: number
}

function recordedPoints(): Recorded[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/<trkpt lat="([^"]+)" lon="([^"]+)">.*?<time>([^<]+)<\/time>/gs)].map(([, lat, lon, time]) => ({
    lon: Number(lon),
    lat: Number(lat),
    at: Date.parse(time ?? ''),
  }))
}

const gpxOf = (points: readonly Recorded[]) =>
  `<gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>${points
    .map(({ lon, lat }) => `<trkpt lat="${lat}" lon="${lon}"/>`)
    .join('')}</trkseg></trk></gpx>`

test('a recorded way back along the way out is on the line within metres, and rings where the hiker left it', async ({ page }) => {
  test.skip(!existsSync(file), '../shared/data is missing')
  test.setTimeout(180_000)
  await signInByApi(page, 'editeur')
  const points = recordedPoints()
  const title = `Aller du Garmin ${run}`
  const id = await createRecord(page, 'parcours', { title: { fr: title } })
  const sent = await page.request.post(`${demoUrl}/api/v1/parcours/${id}/trace/source?file_name=aller.gpx`, {
    headers: { origin: demoUrl, 'content-type': 'application/octet-stream', 'if-match': '"1"' },
    data: Buffer.from(gpxOf(points.slice(0, OUT))),
  })
  expect(sent.status(), await sent.text()).toBe(200)

  await takeOffline(page, title)
  await fakeDevice(page)
  await page.goto(`${demoUrl}/terrain/parcours/${id}`)
  await expect(page.locator('.map[data-idle]')).toBeVisible({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Suivre le tracé' }).click()
  const toLine = page.locator('dt:text-is("Du tracé") + dd')
  const alert = page.getByRole('alert').filter({ hasText: /du tracé/ })
  /** What the page says after each position: metres to the line, and whether the alarm is shown. */
  const said: { s: number; metres: number; isOff: boolean; rang: number }[] = []
  const start = points[BACK]?.at ?? 0
  for (const { lon, lat, at } of points.slice(BACK)) {
    await page.evaluate(([x, y, time, accuracy]) => window.calls.position(x, y, time, accuracy), [lon, lat, at, ACCURACY_M] as const)
    // Two frames: the page has drawn what it knows of this position.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    said.push({
      s: (at - start) / 1000,
      metres: Number.parseInt((await toLine.textContent()) ?? '', 10),
      isOff: await alert.isVisible(),
      rang: (await deviceCalls(page)).vibrations.length,
    })
  }
  await expect(page.locator('.facts')).toContainText(`à ${ACCURACY_M} m près`)

  // The last ten minutes are the same path: the device's own error is all that is between the two.
  const path = said.slice(-55)
  expect(path.map(({ metres }) => metres).toSorted((one, other) => one - other)[27]).toBeLessThanOrEqual(8)
  expect(path.filter(({ isOff }) => isOff)).toEqual([])

  // Twice the hiker is more than 40 m off for longer than 20 s, between them never back within 30 m: one alarm, until they are back.
  const off = said.filter(({ isOff }) => isOff)
  const [first, last] = [off[0], off.at(-1)]
  if (first === undefined || last === undefined) throw new Error(`no alarm: ${JSON.stringify(said)}`)
  expect(first.metres).toBeGreaterThan(40)
  const left = said.findLast(({ s, metres }) => s < first.s && metres <= 40)
  expect(first.s - (left?.s ?? 0)).toBeGreaterThanOrEqual(20)
  expect(off).toEqual(said.filter(({ s }) => s >= first.s && s <= last.s))
  // Back within 30 m, it ends with that position.
  const back = said.find(({ s }) => s > last.s)
  expect(back?.metres).toBeLessThan(30)
  expect(said.at(-1)?.rang).toBeGreaterThanOrEqual(1)
  // It is heard again after a minute off the line at the earliest.
  expect(said.at(-1)?.rang).toBeLessThanOrEqual(1 + Math.floor((last.s - first.s) / 60))
})
