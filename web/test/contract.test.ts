import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

interface Document {
  paths: Record<string, Record<string, unknown>>
}

const server: Document = JSON.parse(readFileSync(join(process.cwd(), '../openapi.json'), 'utf8'))
const client = readFileSync(join(process.cwd(), 'src/api/contract.ts'), 'utf8')

/** Path and methods of each line of the client's contract. */
const lines = [...client.matchAll(/^ {2}'(\/api\/[^']+)': \{(.*)\}$/gm)].map(([, path = '', methods = '']) => ({
  path,
  methods: [...methods.matchAll(/\b(get|post|put|patch|delete): /g)].map(([, method = '']) => method),
}))

/** `{id}` and `{wl_id}` are the same place. */
const shape = (path: string) => path.replaceAll(/\{[^}]+\}/g, '{}')

test('everything the app calls is in the contract of the server', () => {
  const known = new Map(Object.entries(server.paths).map(([path, methods]) => [shape(path), Object.keys(methods)]))
  const missing = lines.flatMap(({ path, methods }) => methods.filter((method) => !known.get(shape(path))?.includes(method)).map((method) => `${method} ${path}`))
  expect(lines.length).toBeGreaterThan(30)
  expect(missing).toEqual([])
})
