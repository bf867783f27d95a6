import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { contrast } from '@/ui/theme/contrast'

/** The tokens of the day: the application's, then those that this page changes. */
function dayTokens(): Map<string, string> {
  const found = new Map<string, string>()
  for (const file of ['../ui/theme/tokens.css', 'ground.css']) {
    const [root = ''] = readFileSync(join(import.meta.dirname, file), 'utf8').split(":root[data-mantine-color-scheme='dark']")
    for (const [, name = '', value = ''] of root.matchAll(/--([\w-]+): (#[0-9a-f]{6})/gi)) found.set(name, value)
  }
  return found
}

it.each([
  ['text', 'canvas'],
  ['text', 'surface'],
  ['text', 'primary-soft'],
  ['text-2', 'canvas'],
  ['text-2', 'surface'],
  ['text-2', 'sunken'],
  ['text-2', 'primary-soft'],
  ['text-3', 'surface'],
  ['primary', 'canvas'],
  ['primary', 'surface'],
  ['on-primary', 'primary'],
  ['danger', 'surface'],
  ['danger', 'canvas'],
  ['danger', 'danger-soft'],
  ['warn', 'warn-soft'],
  ['info', 'info-soft'],
  ['ok', 'canvas'],
])('by day %s on %s is read in the sun, at 7 to 1', (text, ground) => {
  const tokens = dayTokens()
  expect(contrast(tokens.get(text) ?? '', tokens.get(ground) ?? '')).toBeGreaterThanOrEqual(7)
})
