// catalogue.mjs [N]: lists, quick search and map over N records of each kind (100000). One connection; each question asked
// 60 times with other words, pages and orders. Prints the median time, its 95th percentile and the server's processor time a question.
// With DATABASE_URL (and DATA) in PostgreSQL; with POSTMASTER, its process, the processor time of PostgreSQL has a column of its own.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ofDatabase, ofProcess } from './processor.mjs'
import { serverBinary, signedIn, started } from './server.mjs'

const binary = serverBinary()
const count = process.argv[2] ?? '100000'
const port = Number(process.env.PORT ?? 18448)
const base = `http://127.0.0.1:${port}`
const work = mkdtempSync(join(tmpdir(), 'jalon-catalogue-'))
// DATA: a folder kept between runs.
const data = process.env.DATA ?? join(work, 'data')
const TIMES = 60
const words = ['lac', 'col', 'crete', 'chapelle', 'moulin', 'foret lorne', 'vallee', 'gorges', 'brev', 'hameaux']

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]

if (!existsSync(data)) execFileSync(binary, ['demo', '--data', data, '--parcours', count, '--catalogue', count], { stdio: ['ignore', 'ignore', 'inherit'] })
const server = spawn(binary, ['serve', '--data', data, '--port', String(port)], { stdio: 'ignore' })
try {
  await started(base, server)
  const headers = await signedIn(base)
  const ask = async (path) => {
    const begun = performance.now()
    const reply = await fetch(`${base}${path}`, { headers })
    const body = await reply.text()
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${body}`)
    return { ms: performance.now() - begun, bytes: body.length }
  }
  const page = (n) => 1 + (n % 3)
  const word = (n) => encodeURIComponent(words[n % words.length])
  const questions = {
    'parcours, searched': (n) => `/api/v1/parcours?search=${word(n)}&page=${page(n)}`,
    pois: (n) => `/api/v1/pois?sort=${n % 2 ? 'title' : '-updated_at'}&page=${page(n)}`,
    'pois, searched': (n) => `/api/v1/pois?search=${word(n)}&page=${page(n)}`,
    'pois, of others': (n) => `/api/v1/pois?owner=shared&page=${page(n)}`,
    medias: (n) => `/api/v1/medias?page=${page(n)}`,
    'medias, searched, no legend': (n) => `/api/v1/medias?search=${word(n)}&lacking=legend&page=${page(n)}`,
    contacts: (n) => `/api/v1/contacts?page=${page(n)}`,
    'contacts, searched': (n) => `/api/v1/contacts?search=${word(n)}&page=${page(n)}`,
    lines: (n) => `/api/v1/transport-lines?page=${page(n)}`,
    'lines, searched': (n) => `/api/v1/transport-lines?search=${word(n)}&page=${page(n)}`,
    'quick search': (n) => `/api/v1/search?q=${word(n)}`,
    'map of all POIs': (n) => `/api/v1/pois/map?bbox=2.5,44.3,3.7,45.5&zoom=${8 + (n % 2)}`,
    'map, near': (n) => `/api/v1/pois/map?bbox=${2.7 + n / 100},44.6,${2.9 + n / 100},44.7&zoom=12`,
  }
  console.log(`${'question'.padEnd(30)}${'median ms'.padStart(10)}${'95 %'.padStart(8)}${'cpu ms'.padStart(8)}${'db ms'.padStart(8)}${'kB'.padStart(7)}`)
  for (const [name, question] of Object.entries(questions)) {
    for (let n = 0; n < 5; n += 1) await ask(question(n))
    const [before, databaseBefore, times] = [ofProcess(server.pid), ofDatabase(), []]
    let bytes = 0
    for (let n = 0; n < TIMES; n += 1) {
      const asked = await ask(question(n))
      times.push(asked.ms)
      bytes = Math.max(bytes, asked.bytes)
    }
    const cpu = (ofProcess(server.pid) - before) / TIMES
    const databaseCpu = (ofDatabase() - databaseBefore) / TIMES
    times.sort((a, b) => a - b)
    console.log(`${name.padEnd(30)}${at(times, 0.5).toFixed(1).padStart(10)}${at(times, 0.95).toFixed(1).padStart(8)}${cpu.toFixed(1).padStart(8)}${databaseCpu.toFixed(1).padStart(8)}${(bytes / 1000).toFixed(0).padStart(7)}`)
  }
} finally {
  server.kill()
  rmSync(work, { recursive: true, force: true })
}
