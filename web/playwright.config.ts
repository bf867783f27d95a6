import { defineConfig } from '@playwright/test'
import { chromiumPath, launchArgs, launchArgsWithoutWebgl } from './e2e/chromium'

/** Journeys that draw on a map, read it or look at it. */
const mapJourneys = [
  'accounts',
  'all-paths',
  'campaigns',
  'closures',
  'draw',
  'editor-view',
  'first-day',
  'ground',
  'ground-assistive',
  'ground-device',
  'ground-many',
  'ground-recording',
  'ground-two-devices',
  'itineraries',
  'keyboard',
  'main-job',
  'network-watch',
  'providers',
  'public-page',
  'replace-trace',
  'shell',
  'ways',
  'white-label-site',
  'widget',
].map((name) => `**/${name}.spec.ts`)

/** Journeys on the real binary: for each process a server over the demo region, and one over a real extract where it is there. */
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/servers.ts',
  timeout: 90_000,
  expect: { timeout: 15_000 },
  fullyParallel: false,
  // Journeys wait for answers and pauses: two at a time leave a fifth of two cores idle.
  workers: Number(process.env['E2E_WORKERS'] ?? 3),
  // One more try in the forge, whose machine other work may slow; scripts/test.mjs names the journeys that needed it.
  retries: process.env['CI'] ? 1 : 0,
  forbidOnly: true,
  outputDir: 'test-results',
  use: {
    locale: 'fr-FR',
    timezoneId: 'Europe/Paris',
    viewport: { width: 1440, height: 900 },
    // A quarter of the pixels: maps are drawn by the processor, and no journey looks at single pixels. Layout is the same: boxes, borders and words
    // measure what they do with all pixels. Pictures are taken with all of them.
    deviceScaleFactor: process.env['E2E_SHOTS'] ? 1 : 0.5,
    screenshot: 'only-on-failure',
    contextOptions: { reducedMotion: 'reduce' },
  },
  // Each map costs about a second of processor time: the software graphics card compiles its programs again for each page. The other journeys run in a
  // browser without WebGL, where a page says that its map cannot be drawn.
  projects: [
    { name: 'maps', testMatch: mapJourneys, use: { launchOptions: { executablePath: chromiumPath(), args: launchArgs } } },
    {
      name: 'without-webgl',
      testIgnore: mapJourneys,
      use: { launchOptions: { executablePath: chromiumPath(), args: process.env['E2E_SHOTS'] ? launchArgs : launchArgsWithoutWebgl } },
    },
  ],
})
