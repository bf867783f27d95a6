import { expect, type Page } from '@playwright/test'
import { chromiumPath, launchArgs } from './chromium'
import { picture } from './picture'
import { demoUrl } from './servers'

/** What journeys on the ground share: a phone, a parcours, and what a warden does with both. */

export const parcours = 'Gravel des trois bourgs'
/** A phone. */
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
/** With a microphone that gives a tone. */
export const withMicrophone = {
  executablePath: chromiumPath(),
  args: [...launchArgs, '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
}

export interface Trace {
  line: [number, number, number?][]
}

export async function parcoursId(page: Page): Promise<number> {
  const reply = await page.request.get(`${demoUrl}/api/v1/parcours?search=${encodeURIComponent(parcours)}`)
  const { items }: { items: { id: number }[] } = await reply.json()
  return items[0]?.id ?? 0
}

export async function lineOf(page: Page, id: number): Promise<Trace['line']> {
  const { line }: Trace = await (await page.request.get(`${demoUrl}/api/v1/parcours/${id}/trace`)).json()
  return line
}

/** Metres to the north are degrees of latitude. */
export const northOf = ([lon, lat]: readonly [number, number, number?], metres: number) => ({
  longitude: lon,
  latitude: lat + metres / 111_195,
  accuracy: 6,
})

/** Takes a parcours along; the worker then has the page's own files. */
export async function take(page: Page, name = parcours): Promise<void> {
  await page.goto(`${demoUrl}/terrain/`)
  await page.getByRole('link', { name: 'Emporter un parcours ou une zone' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Emporter' })).toBeFocused()
  await page.getByRole('searchbox', { name: 'Rechercher un parcours' }).fill(name)
  // The list moves when what was searched has come.
  await expect(page.getByRole('checkbox')).toHaveCount(1)
  await page.getByRole('checkbox', { name }).check()
  await page.getByRole('button', { name: 'Emporter 1 parcours' }).click()
  await expect(page.getByText('1 parcours est sur l’appareil.')).toBeVisible({ timeout: 60_000 })
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
}

export const confirm = async (page: Page) => {
  await page.getByRole('dialog').getByRole('button', { name: 'Enregistrer' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByText(/^Enregistré sur l’appareil à/)).toBeVisible()
}

/** A photo of a phone, larger than what is sent. */
export const photo = () => ({ name: 'IMG_0001.png', mimeType: 'image/png', buffer: picture(3000, 2000) })

export const waiting = (page: Page, count: number) => expect(page.getByRole('link', { name: `Envois (${count})` })).toBeVisible()

export interface Calls {
  vibrations: number[][]
  tones: number[]
  /** Wake locks that were asked for, and how many are held. */
  asked: number
  held: number
  position: (lon: number, lat: number, at: number, accuracy: number) => void
  isHidden: boolean
}

/** Notes what the page asks of the device, and gives it positions with their time. */
export async function spied(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const calls: Calls = { vibrations: [], tones: [], asked: 0, held: 0, position: () => undefined, isHidden: false }
    Object.assign(window, { calls })
    Object.defineProperty(navigator, 'vibrate', { value: (pattern: number[]) => calls.vibrations.push(pattern) > 0 })
    const start = Object.getOwnPropertyDescriptor(AudioScheduledSourceNode.prototype, 'start')?.value
    AudioScheduledSourceNode.prototype.start = function (this: OscillatorNode, when?: number) {
      if (this.context.state === 'running') calls.tones.push(this.frequency.value)
      start.call(this, when)
    }
    Object.defineProperty(document, 'visibilityState', { get: () => (calls.isHidden ? 'hidden' : 'visible') })
    Object.defineProperty(navigator, 'wakeLock', {
      value: {
        request: () => {
          calls.asked += 1
          calls.held += 1
          let isHeld = true
          const release = () => {
            if (isHeld) calls.held -= 1
            isHeld = false
            return Promise.resolve()
          }
          // The browser takes it from a page that is hidden.
          document.addEventListener('visibilitychange', () => calls.isHidden && void release())
          return Promise.resolve({ release })
        },
      },
    })
    navigator.geolocation.watchPosition = (found) => {
      calls.position = (longitude, latitude, timestamp, accuracy) =>
        found({
          coords: {
            longitude,
            latitude,
            accuracy,
            altitude: null,
            altitudeAccuracy: null,
            heading: null,
            speed: null,
            toJSON: () => ({}),
          },
          timestamp,
          toJSON: () => ({}),
        })
      return 1
    }
    navigator.geolocation.clearWatch = () => undefined
  })
}

declare global {
  interface Window {
    calls: Calls
  }
}

export const calls = (page: Page) => page.evaluate(() => window.calls)
