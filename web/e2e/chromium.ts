import { existsSync } from 'node:fs'

/** The system's Chromium: none is downloaded. */
export function chromiumPath(): string {
  const candidates = [process.env['CHROME'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  return candidates.find((path) => path !== undefined && existsSync(path)) ?? '/usr/bin/chromium'
}

/** Software WebGL2, so that the map draws without a graphics card. */
export const launchArgs = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
