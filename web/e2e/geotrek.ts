import { createServer, type Server } from 'node:http'

/** A trek as Geotrek's API sends it: its line depends on its number. */
export const trek = (number: number, name: string) => ({
  id: number,
  uuid: `trek-${number}`,
  name: { fr: name, en: '' },
  description_teaser: { fr: 'Une boucle.' },
  description: { fr: '<p>Pas à pas.</p>' },
  practice: 4,
  difficulty: 2,
  themes: [1],
  labels: [],
  networks: [],
  route: 1,
  duration: 2,
  departure: { fr: 'La gare' },
  arrival: { fr: 'Le lac' },
  attachments: [],
  geometry: { type: 'LineString', coordinates: Array.from({ length: 20 }, (_, at) => [4 + at / 1000, 47 + number / 250, 500]) },
})

/** A point of interest, beside the first trek. */
export const poi = (number: number, name: string, type: string) => ({
  id: number,
  uuid: `poi-${number}`,
  name: { fr: name, en: '' },
  description: { fr: '<p>À voir.</p>' },
  type_label: { fr: type },
  attachments: [],
  geometry: { type: 'Point', coordinates: [4.005, 47.004, 500] },
})

/** A Geotrek server of these lists. Every trek shows all its points of interest. */
export async function startGeotrek(lists: Record<string, object[]>): Promise<{ server: Server; url: string }> {
  const all: Record<string, object[]> = {
    trek_practice: [{ id: 4, name: { fr: 'Pédestre' } }],
    trek_difficulty: [{ id: 2, label: { fr: 'Facile' } }],
    theme: [{ id: 1, label: { fr: 'Contrebande' } }],
    trek_route: [{ id: 1, route: { fr: 'Boucle' } }],
    ...lists,
  }
  const server = createServer((request, reply) => {
    const results = all[/\/api\/v2\/(\w+)\//.exec(request.url ?? '')?.[1] ?? '']
    reply
      .writeHead(results === undefined ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ count: results?.length, next: null, previous: null, results: results ?? [] }))
  })
  await new Promise<void>((ready) => {
    server.listen(0, '127.0.0.1', ready)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { server, url: `http://127.0.0.1:${address.port}` }
}
