// large.mjs: what an installation with very many records costs: lists, searches, maps, saves, feeds, statistics. Each question is asked one at a
// time over one connection, with other words, pages, filters and places each time, so that nothing of it was asked before. Prints medians by the
// clock and, for each question, the processor time of the server and of PostgreSQL.
//
//   DATABASE_URL=postgres://… jalon demo --people-only --white-labels 2000 --parcours 1000000 --pois 3000000 --medias 200000 --data DATA
//   DATABASE_URL=postgres://… POSTMASTER=$(head -1 …/postmaster.pid) DATA=DATA node bench/large.mjs [NAME …]
//
// Without DATABASE_URL the database is the SQLite file of DATA. NAME: only questions whose name begins so. TIMES: how often each is asked (40).
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { ofDatabase, ofProcess } from './processor.mjs'
import { serverBinary, signedIn, started } from './server.mjs'

const binary = serverBinary()
const data = process.env.DATA
if (!data) throw new Error('DATA is the folder of an installation that `jalon demo` filled')
const port = Number(process.env.PORT ?? 18452)
const base = `http://127.0.0.1:${port}`
const TIMES = Number(process.env.TIMES ?? 40)
const names = process.argv.slice(2)

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]

const env = { ...process.env, JALON_PUBLIC_REQUESTS_A_MINUTE: '0', ...(process.env.DATABASE_URL && { JALON_BLOBS__SHARED: 'true' }) }
const server = spawn(binary, ['serve', '--data', data, '--port', String(port)], { stdio: ['ignore', 'ignore', 'inherit'], env })
const begun = performance.now()
try {
  await started(base, server, { path: '/readyz', seconds: 300 })
  console.log(`ready after ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  // What a server does after its start is no part of an answer.
  for (let quiet = 0, was = 0; quiet < 3; ) {
    await new Promise((wake) => setTimeout(wake, 1_000))
    const now = ofProcess(server.pid)
    quiet = now - was <= 20 ? quiet + 1 : 0
    was = now
  }
  console.log(`at rest after ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  const send = async (method, path, body, headers) => {
    const reply = await fetch(`${base}${path}`, { method, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return reply
  }
  const headers = await signedIn(base)
  const ask = async (path, more = headers) => {
    const from = performance.now()
    const reply = await fetch(`${base}${path}`, { headers: more })
    const body = await reply.text()
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${body.slice(0, 300)}`)
    return { ms: performance.now() - from, body }
  }
  // Words of titles, and numbers of parcours all over the list.
  const first = JSON.parse((await ask('/api/v1/parcours?published=true&per_page=25')).body)
  const total = first.total
  const [words, ids] = [new Set(), []]
  for (let n = 0; n < 12; n += 1) {
    const page = JSON.parse((await ask(`/api/v1/parcours?progress=any&sort=title&per_page=100&page=${1 + n * 7}`)).body)
    for (const { id, title } of page.items) {
      ids.push(id)
      for (const word of (title.fr ?? '').split(/[^\p{L}]+/u)) if (word.length > 3) words.add(word.toLowerCase())
    }
  }
  console.log(`${total} published parcours, ${words.size} words, ${ids.length} numbers`)
  const all = [...words]
  const word = (n) => encodeURIComponent(all[(n * 37) % all.length])
  // The white-label whose key hands out the most: the first, which is one of the greatest.
  const labels = JSON.parse((await ask('/api/v1/white-labels?per_page=1&sort=created_at').catch(() => ask('/api/v1/white-labels?per_page=1'))).body)
  const { key } = await (await send('POST', `/api/v1/white-labels/${labels.items[0].id}/api-key`, {}, { ...headers, 'If-Match': '*' })).json()
  const feed = { 'X-Api-Key': key }
  const box = (n, size) => {
    const [west, south] = [0.5 + (n % 10) * 0.5, 44 + Math.floor(n / 10) * 0.9]
    return `${west},${south},${west + size},${south + size}`
  }
  const sorts = ['-updated_at', 'title', '-title', 'updated_at', '-distance', 'reliability']
  const save = (n) => send('PATCH', `/api/v1/parcours/${ids[(n * 13) % ids.length]}`, { title: { fr: `Le tour du lac, version ${Date.now()} ${n}` } }, { ...headers, 'If-Match': '*' })
  const year = `from=2025-11-01&to=2026-10-31`
  // Each: [goal in ms, what asks]. What stands under `before` is done before each and not counted.
  const questions = {
    'list, searched': [20, (n) => ask(`/api/v1/parcours?search=${word(n)}&published=true&sort=${sorts[n % 4]}&per_page=25&page=${1 + (n % 3)}`)],
    'list, searched, after a write': [20, (n) => ask(`/api/v1/parcours?search=${word(n % 5)}&published=true&sort=-updated_at&per_page=25`), save],
    'list, searched, two words': [20, (n) => ask(`/api/v1/parcours?search=tour%20${word(n)}&per_page=25`)],
    'list, searched, one letter': [20, (n) => ask(`/api/v1/parcours?search=${'abcdefghilmnoprstuvt'[n % 20]}&per_page=25`)],
    'list, searched, 100 words': [20, (n) => ask(`/api/v1/parcours?search=${Array.from({ length: 100 }, (_, i) => word(n + i)).join('%20')}&per_page=25`)],
    'list': [5, (n) => ask(`/api/v1/parcours?published=true&sort=-updated_at&per_page=25&page=${1 + n}`)],
    'list, after a write': [20, () => ask(`/api/v1/parcours?published=true&sort=-updated_at&per_page=25`), save],
    'list, each order': [20, (n) => ask(`/api/v1/parcours?sort=${sorts[n % sorts.length]}&per_page=25&page=${1 + n}`)],
    'list, by creation or priority': [20, (n) => ask(`/api/v1/parcours?sort=${['-created_at', '-priority', 'created_at', 'priority'][n % 4]}&per_page=25&page=${1 + n}`)],
    'list, each filter': [20, (n) => ask(`/api/v1/parcours?${['reliability_below=95', 'lack=no_photo', 'practice=1', 'level=2', 'incomplete=true', 'theme=3', 'owner=mine', 'published=false'][n % 8]}&per_page=25&page=${1 + n}`)],
    'list, in a box': [20, (n) => ask(`/api/v1/parcours?bbox=${box(n, 0.3)}&per_page=25`)],
    'list, around the world': [20, (n) => ask(`/api/v1/parcours?bbox=-180,-85,180,85&per_page=25&page=${1 + n}`)],
    'list, far down': [20, (n) => ask(`/api/v1/parcours?per_page=25&page=${20_000 + n}`)],
    'detail': [0.5, (n) => ask(`/api/v1/parcours/${ids[(n * 7) % ids.length]}`)],
    'save': [3, save],
    'map of all': [20, (n) => ask(`/api/v1/parcours/map?bbox=-5,42,9,51&zoom=${5 + (n % 2)}`)],
    'map of all, after a write': [20, () => ask('/api/v1/parcours/map?bbox=-5,42,9,51&zoom=5'), save],
    'map, in a box': [20, (n) => ask(`/api/v1/parcours/map?bbox=${box(n, 0.3)}&zoom=11`)],
    'map, searched': [20, (n) => ask(`/api/v1/parcours/map?search=${word(n)}&bbox=-5,42,9,51&zoom=6`)],
    'map of all POIs': [20, (n) => ask(`/api/v1/pois/map?bbox=-5,42,9,51&zoom=${5 + (n % 2)}`)],
    'map of POIs, in a box': [20, (n) => ask(`/api/v1/pois/map?bbox=${box(n, 0.2)}&zoom=12`)],
    'quick search': [30, (n) => ask(`/api/v1/search?q=${word(n)}`)],
    'quick search, as it is typed': [30, (n) => ask(`/api/v1/search?q=${decodeURIComponent(word(n)).slice(0, 2 + (n % 3))}`)],
    'POIs': [20, (n) => ask(`/api/v1/pois?sort=${n % 2 ? 'title' : '-updated_at'}&page=${1 + n}`)],
    'POIs, searched': [20, (n) => ask(`/api/v1/pois?search=${word(n)}&page=${1 + (n % 3)}`)],
    'media': [20, (n) => ask(`/api/v1/medias?page=${1 + n}`)],
    'media, searched': [20, (n) => ask(`/api/v1/medias?search=${word(n)}`)],
    'feed, 100 rows': [15, (n) => ask(`/api/public/v1/parcours?per_page=100&page=${1 + n * 7}`, feed)],
    'feed, 100 rows, after a write': [15, (n) => ask(`/api/public/v1/parcours?per_page=100&page=${1 + n * 7}`, feed), save],
    'feed, 100 lines': [15, (n) => ask(`/api/public/v1/parcours?per_page=100&format=geojson&page=${2 + n * 7}`, feed)],
    'feed, Geotrek, 100 lines': [15, (n) => ask(`/api/v2/trek/?page_size=100&page=${1 + n * 7}`, feed)],
    'feed, in a box': [15, (n) => ask(`/api/public/v1/parcours?per_page=100&bbox=${box(n, 0.3)}`, feed)],
    'statistics of a year, all': [200, (n) => ask(`/api/v1/statistics?${year}${n % 2 ? '' : '&kind=view'}`)],
    'statistics of a year, by parcours': [200, () => ask(`/api/v1/statistics/breakdown?${year}&by=parcours`)],
    'statistics of a year, by country': [200, () => ask(`/api/v1/statistics/breakdown?${year}&by=country`)],
    'statistics of a year, one parcours': [200, (n) => ask(`/api/v1/statistics?${year}&parcours_id=${ids[(n * 11) % ids.length]}`)],
  }
  // What people do together, one write in twenty.
  const acts = ['list, searched', 'list', 'detail', 'map, in a box', 'quick search', 'list, each filter', 'POIs, searched', 'detail', 'feed, 100 rows'].map((name) => questions[name][1])
  questions['mixed, one write in twenty'] = [20, (n) => (n % 20 === 0 ? save(n) : acts[n % acts.length](n))]
  const wanted = Object.entries(questions).filter(([name]) => names.length === 0 || names.some((begin) => name.startsWith(begin)))
  console.log(`${'question'.padEnd(38)}${'goal'.padStart(6)}${'cpu ms'.padStart(9)}${'  (server'.padEnd(9)}${'database)'.padStart(9)}${'median'.padStart(9)}${'95 %'.padStart(9)}${'kB'.padStart(7)}`)
  let worst = ''
  for (const [name, [goal, question, before]] of wanted) {
    const times = []
    let [cpu, database, bytes, refused] = [0, 0, 0, '']
    const until = performance.now() + 60_000
    let asked = 0
    // Ticks are 10 ms: what is counted together has nothing else between.
    const counted = async (work) => {
      const [was, wasDatabase] = [ofProcess(server.pid), ofDatabase()]
      await work()
      cpu += ofProcess(server.pid) - was
      database += ofDatabase() - wasDatabase
    }
    const one = async (n) => {
      const from = performance.now()
      const answer = await question(n)
      times.push(performance.now() - from)
      asked += 1
      bytes = Math.max(bytes, answer.body?.length ?? 0)
    }
    try {
      if (before) {
        for (let n = 0; n < TIMES && performance.now() < until; n += 1) {
          await before(n)
          await counted(() => one(n))
        }
      } else {
        await counted(async () => {
          for (let n = 0; n < TIMES && performance.now() < until; n += 1) await one(n)
        })
      }
    } catch (error) {
      refused = String(error).slice(0, 160)
    }
    times.sort((a, b) => a - b)
    const [mine, its] = [cpu / asked, database / asked]
    const mark = mine + its > goal ? ' ✗' : ''
    console.log(asked === 0 ? `${name.padEnd(38)} ${refused}` : `${name.padEnd(38)}${String(goal).padStart(6)}${(mine + its).toFixed(2).padStart(9)}${mine.toFixed(2).padStart(9)}${its.toFixed(2).padStart(9)}${at(times, 0.5).toFixed(1).padStart(9)}${at(times, 0.95).toFixed(1).padStart(9)}${(bytes / 1000).toFixed(0).padStart(7)}${mark}${refused && ` ${refused}`}`)
    worst = refused || worst
  }
  const status = readFileSync(`/proc/${server.pid}/smaps_rollup`, 'utf8')
  console.log(`memory of the server: ${Math.round(Number(/^Pss:\s+(\d+)/m.exec(status)[1]) / 1024)} MB`)
  if (worst) process.exitCode = 1
} finally {
  server.kill()
}
