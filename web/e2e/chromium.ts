import { existsSync } from 'node:fs'

/**
 * The system's Chromium: none is downloaded. Its headless shell comes first: it has no window to draw, so that the
 * same journeys take three quarters of the processor time.
 */
export function chromiumPath(): string {
  const candidates = [
    process.env['CHROME'],
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ]
  return candidates.find((path) => path !== undefined && existsSync(path)) ?? '/usr/bin/chromium'
}

/**
 * Software WebGL2, so that the map draws without a graphics card. The page around the map is drawn by the processor
 * itself: through the software graphics card it takes more than twice the time.
 */
export const launchArgs = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-gpu-compositing',
  '--disable-gpu-rasterization',
  // A page lives for seconds: the compiler that optimises code that runs often costs more time than it saves.
  '--js-flags=--max-optimized-bytecode-size=0',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
