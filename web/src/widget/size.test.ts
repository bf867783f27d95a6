import { resolve } from 'node:path'
import { build } from 'vite'
import { expect, it } from 'vitest'

/** Bytes of the built script, minified and not compressed: the browser of a host page runs all of it before any map. */
const AT_MOST = 15_000

it('the widget is one script of 15 kB at most before its map', async () => {
  const root = resolve(import.meta.dirname, '../..')
  const built = await build({ root, configFile: `${root}/vite.widget.config.ts`, logLevel: 'silent', build: { write: false } })
  const files = [built].flat().flatMap((one) => ('output' in one ? one.output : []))
  expect(files.map(({ fileName }) => fileName)).toEqual(['v1.js'])
  const code = files.flatMap((file) => (file.type === 'chunk' ? [file.code] : [])).join('')
  expect(code).not.toMatch(/localStorage|sessionStorage|indexedDB|document\.cookie/)
  expect(Buffer.byteLength(code)).toBeLessThanOrEqual(AT_MOST)
}, 60_000)
