import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resources, type Ability } from '@/api/resource'

interface Document {
  paths: Record<string, Record<string, unknown>>
}

const server: Document = JSON.parse(readFileSync(join(process.cwd(), '../openapi.json'), 'utf8'))
/** `{id}` and `{poi_id}` are the same place. */
const shape = (path: string) => path.replaceAll(/\{[^}]+\}/g, '{}')
const known = new Set(
  Object.entries(server.paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${shape(path)}`)),
)

/** What each ability asks of the server, under the address of the resource. */
const asks: Record<Ability | 'record', string[]> = {
  record: ['get ', 'post ', 'get /{}', 'patch /{}', 'delete /{}'],
  history: ['get /{}/revisions', 'get /{}/revisions/{}', 'post /{}/revisions/{}/restoration'],
  uses: ['get /{}/uses'],
  bulk: ['post /bulk', 'post /bulk/undo'],
  merge: ['post /{}/merge'],
}

const standing = Object.entries(resources)

test.each(standing)('the server answers all that the screens of %s ask', (_, { path, can }) => {
  const missing = (['record', ...can] as const)
    .flatMap((ability) => asks[ability])
    .map((one) => one.replace(' ', ` ${path}`))
    .filter((one) => !known.has(one))
  expect(missing).toEqual([])
})
