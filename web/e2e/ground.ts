import { expect, type Page } from '@playwright/test'
import { chromiumPath, launchArgs } from './chromium'
import { png } from './png'
import { demoUrl } from './servers'

/** Shared by the tests of `/terrain`: a phone, a parcours, and the actions of a user on the ground. */

export const parcours = 'Gravel des trois bourgs'
/** A phone. */
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
/** Launch options with a fake microphone. */
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

/** A position some metres north of a point. */
export const northOf = ([lon, lat]: readonly [number, number, number?], metres: number) => ({
  longitude: lon,
  latitude: lat + metres / 111_195,
  accuracy: 6,
})

/** Downloads a parcours for offline use, and waits until the service worker controls the page. */
export async function takeOffline(page: Page, name = parcours): Promise<void> {
  await page.goto(`${demoUrl}/terrain/`)
  await page.getByRole('link', { name: 'Emporter un parcours ou une zone' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Emporter' })).toBeFocused()
  await page.getByRole('searchbox', { name: 'Rechercher un parcours' }).fill(name)
  // The list changes when the search is answered.
  await expect(page.getByRole('checkbox')).toHaveCount(1)
  await page.getByRole('checkbox', { name }).check()
  await page.getByRole('button', { name: 'Emporter 1 parcours' }).click()
  await expect(page.getByText('1 parcours est sur l’appareil.')).toBeVisible({ timeout: 60_000 })
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
}

export const saveEntry = async (page: Page) => {
  await page.getByRole('dialog').getByRole('button', { name: 'Enregistrer' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByText(/^Enregistré sur l’appareil à/)).toBeVisible()
}

/** A photo of a phone, larger than what is sent. */
export const photo = () => ({ name: 'IMG_0001.png', mimeType: 'image/png', buffer: png(3000, 2000) })

export const expectWaiting = (page: Page, count: number) => expect(page.getByRole('link', { name: `Envois (${count})` })).toBeVisible()

export interface Calls {
  vibrations: number[][]
  tones: number[]
  /** Wake locks that were requested, and how many are held. */
  asked: number
  held: number
  position: (lon: number, lat: number, at: number, accuracy: number) => void
  isHidden: boolean
}

/** Replaces vibration, sound, wake lock and geolocation: records the calls of the page, and lets the test send positions. */
export async function fakeDevice(page: Page): Promise<void> {
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
          // Browsers release the wake lock of a hidden page.
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

export const deviceCalls = (page: Page) => page.evaluate(() => window.calls)
