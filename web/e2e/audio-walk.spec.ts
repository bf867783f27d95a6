import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { expectFocusSeen, tabTo } from './keyboard'
import { ownServer } from './servers'
import { signIn } from './session'

/** A tone of a number of seconds, as WAV. */
function tone(seconds: number): Buffer {
  const rate = 16_000
  const data = Buffer.alloc(rate * seconds * 2)
  for (let at = 0; at < rate * seconds; at++)
    data.writeInt16LE(Math.round(Math.sin(at / 12) * 9_000 * Math.abs(Math.sin(at / 2_000))), at * 2)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(data.length + 36, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data])
}

/** A stub of espeak-ng, so that the test does not depend on an installed one. */
function stubVoice(): { program: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'jalon-voice-'))
  const program = join(folder, 'espeak')
  writeFileSync(join(folder, 'voice.wav'), tone(20))
  writeFileSync(
    program,
    `#!/bin/sh\n[ "$1" = --version ] && exit 0\ncase "$1" in --voices=*) exit 0;; esac\ncat > /dev/null\ncat ${folder}/voice.wav\n`,
  )
  chmodSync(program, 0o755)
  return { program, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A parcours of 3 km going east. */
async function createParcours(page: Page, url: string): Promise<number> {
  const headers = { origin: url }
  const made: { id: number; version: number } = await (
    await page.request.post(`${url}/api/v1/parcours`, {
      data: { title: { fr: 'Le tour du lac' }, description: { fr: '<p>Le lac.</p>' } },
      headers,
    })
  ).json()
  const points = Array.from(
    { length: 41 },
    (_, at) => `<trkpt lat="44.9" lon="${(5.3 + at * 0.001).toFixed(4)}"><ele>500</ele></trkpt>`,
  ).join('')
  const gpx = `<?xml version="1.0"?><gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>${points}</trkseg></trk></gpx>`
  const reply = await page.request.post(`${url}/api/v1/parcours/${made.id}/trace/source?file_name=lac.gpx`, {
    data: Buffer.from(gpx),
    headers: { ...headers, 'if-match': `"${made.version}"`, 'content-type': 'application/octet-stream' },
  })
  expect(reply.status(), await reply.text()).toBe(200)
  return made.id
}

test('an audio walk is written, read by a voice, tried by a simulated walk and heard by the public', async ({ page }) => {
  test.setTimeout(180_000)
  const { program, remove } = stubVoice()
  const own = await ownServer({ JALON_VOICES__ESPEAK: program })
  try {
    await page.goto(own.url)
    await signIn(page, '/parcours')
    const id = await createParcours(page, own.url)
    await page.goto(`${own.url}/parcours/${id}?tab=audio`)

    // Two stops by keyboard alone.
    const add = page.getByRole('button', { name: 'Ajouter un arrêt' })
    await tabTo(page, add)
    await expectFocusSeen(page)
    await page.keyboard.press('Enter')
    await page.getByLabel('Nom de l’arrêt').fill('La source')
    await page.getByLabel('Place sur le tracé').fill('0,5')
    await page.getByLabel('Texte lu par la voix').first().fill('Voici la source. [pause 1s] Écoutez.')
    await add.press('Enter')
    await page.getByLabel('Nom de l’arrêt').fill('Le belvédère')
    await page.getByLabel('Place sur le tracé').fill('0,51')
    await page.getByLabel('Texte lu par la voix').first().fill('Voici le lac.')
    await page.getByLabel('Publier la balade').press('Space')
    await page
      .getByRole('button', { name: /^Enregistrer \d+ changement/ })
      .last()
      .click()
    await expect(page.getByText('Balade audio sauvegardée !')).toBeVisible()
    await expect(page.getByText(/sa zone commence .* avant la fin de la précédente/)).toBeVisible()
    await expect(page.getByText('le texte n’est pas encore lu par la voix.')).toHaveCount(2)
    await expectAccessible(page)

    // The zones no longer touch; the voice reads both texts.
    await page.getByLabel('Place sur le tracé').fill('2')
    await page
      .getByRole('button', { name: /^Enregistrer \d+ changement/ })
      .last()
      .click()
    await expect(page.getByText(/sa zone commence/)).toHaveCount(0)
    await page.getByRole('button', { name: 'Faire lire 2 textes' }).click()
    await expect(page.getByText('2 textes lus.')).toBeVisible()
    await expect(page.getByText('Rien à signaler : la balade est prête.')).toBeVisible()

    // No sound before the start of the walk, not even the introduction.
    await page.getByRole('textbox', { name: 'Texte lu par la voix' }).nth(1).fill('Bienvenue.')
    await page
      .getByRole('button', { name: /^Enregistrer \d+ changement/ })
      .last()
      .click()
    await page.getByRole('button', { name: 'Faire lire 1 texte' }).click()
    await expect(page.getByText('1 texte lu.')).toBeVisible()
    await expect(page.getByText('À l’arrêt')).toBeVisible()

    // The walk starts: each stop that is reached is played, at walking speed while it plays.
    await page
      .getByRole('radio', { name: '×60' })
      .or(page.getByText('×60', { exact: true }))
      .first()
      .click()
    await page.getByRole('button', { name: 'Partir' }).click()
    await expect(page.getByText('On entend : Introduction')).toBeVisible()
    await page.getByRole('button', { name: 'Passer ce son' }).click()
    await expect(page.getByText('On entend : La source')).toBeVisible({ timeout: 40_000 })
    const player = page.getByLabel('Son de la balade simulée')
    await expect.poll(() => player.evaluate((sound: HTMLAudioElement) => sound.currentTime)).toBeGreaterThan(0.3)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Pause' }).click()
    expect(await player.evaluate((sound: HTMLAudioElement) => sound.paused)).toBe(true)
    await page.getByRole('button', { name: 'Partir' }).click()
    await page.getByRole('button', { name: 'Passer ce son' }).click()
    await expect(page.getByText('On entend : Le belvédère')).toBeVisible({ timeout: 40_000 })
    await page.getByRole('button', { name: 'Passer ce son' }).click()
    await page.getByLabel(/^Position sur le parcours/).fill('3000')
    await expect(page.getByRole('status').filter({ hasText: 'Arrivée' })).toBeVisible({ timeout: 40_000 })

    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await page.setViewportSize({ width: 1440, height: 900 })

    // Once published, every visitor can hear and read it.
    const now: { version: number } = await (await page.request.get(`${own.url}/api/v1/parcours/${id}`)).json()
    const published = await page.request.post(`${own.url}/api/v1/parcours/${id}/publication`, {
      data: {},
      headers: { origin: own.url, 'if-match': `"${now.version}"` },
    })
    expect(published.status()).toBe(200)
    await page.goto(`${own.url}/p/parcours-${id}`)
    await expect(page.getByRole('heading', { level: 2, name: 'Balade audio' })).toBeVisible()
    const publicSound = page.getByLabel('La source', { exact: true })
    await expect
      .poll(() =>
        publicSound.evaluate(async (sound: HTMLAudioElement) => {
          sound.load()
          sound.preload = 'metadata'
          await new Promise((wake) => setTimeout(wake, 300))
          return Math.round(sound.duration)
        }),
      )
      .toBeGreaterThanOrEqual(41)
    await page.getByText('Lire le texte').nth(1).click()
    await expect(page.getByText('Voici la source. Écoutez.')).toBeVisible()
    await expectAccessible(page)
  } finally {
    await own.stop()
    remove()
  }
})
