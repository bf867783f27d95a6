// pair.mjs BEFORE AFTER [ROUNDS]: two binaries of Jalon side by side, each over its own copy of N synthetic parcours (ROWS, 20000), SQLite, one connection.
// In each round (21) every request is made TIMES (100) times of one and then of the other, the first of both in turn. Prints the median processor time of
// the servers for a request and the median of the rounds' ratios; ends with 1 where a ratio is above LIMIT (1.15).
// Build both alike: their own folders of CARGO_TARGET_DIR, the same profile and settings.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const [before, after] = process.argv.slice(2)
if (!before || !after) throw new Error('usage: node bench/pair.mjs BEFORE AFTER [ROUNDS]')
const rounds = Number(process.argv[4] ?? 21)
const rows = process.env.ROWS ?? '20000'
const times = Number(process.env.TIMES ?? 100)
const limit = Number(process.env.LIMIT ?? 1.15)
const listed = (text) => (text ?? '').split(',').map((name) => name.trim()).filter(Boolean)
const [accepted, names] = [listed(process.env.SLOWER), listed(process.env.NAMES)]
const isWanted = (name) => names.length === 0 || names.includes(name)
const FILE = 'a file of the web app'
const work = mkdtempSync(join(tmpdir(), 'jalon-pair-'))
const words = ['lac', 'col', 'crete', 'tour', 'sentier', 'foret', 'belvedere', 'vallee', 'moulin', 'chapelle']
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]

/** Processor time of all threads of a process, in µs. */
function processorTime(pid) {
  let sum = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      sum += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
    } catch {
      // The thread has ended.
    }
  }
  return sum / 1000
}

async function startServer(binary, port) {
  const data = join(work, String(port))
  execFileSync(binary, ['demo', '--data', data, '--parcours', rows], { stdio: ['ignore', 'ignore', 'inherit'] })
  const child = spawn(binary, ['serve', '--data', data, '--port', String(port)], { stdio: 'ignore' })
  const server = { child, port, agent: new Agent({ keepAlive: true, maxSockets: 1 }), headers: {} }
  for (let tries = 0; ; tries += 1) {
    if (await ask(server, '/health').then(() => true, () => false)) break
    if (tries === 400) throw new Error(`${binary} does not answer`)
    await new Promise((wake) => setTimeout(wake, 50))
  }
  const { headers } = await ask(server, '/api/v1/session', 'POST', { email: 'superadmin@demo.jalon.example', password: 'balise-jaune-2026' })
  server.headers = { Cookie: headers['set-cookie'][0].split(';')[0], 'If-Match': '*' }
  const pages = await Promise.all([1, 2, 3].map((page) => ask(server, `/api/v1/parcours?owner=mine&progress=any&sort=title&per_page=100&page=${page}`)))
  server.ids = pages.flatMap(({ body }) => JSON.parse(body).items.map(({ id }) => id))
  if (isWanted(FILE)) server.script = (await ask(server, '/')).body.match(/src="(\/assets\/[^"]+\.js)"/)[1]
  return server
}

function ask({ port, agent, headers }, path, method = 'GET', json) {
  return new Promise((resolve, reject) => {
    const body = json && JSON.stringify(json)
    const sent = request(
      { port, agent, path, method, headers: { ...headers, ...(body && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }) } },
      (answer) => {
        const chunks = []
        answer.on('data', (chunk) => chunks.push(chunk))
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          if (answer.statusCode >= 300) reject(new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 300)}`))
          else resolve({ headers: answer.headers, body: text })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Waits until what a server does of its own after its start is done, two minutes at most. */
async function settled({ child }) {
  for (let tries = 0, quiet = 0, last = -1; tries < 120 && quiet < 3; tries += 1) {
    const now = processorTime(child.pid)
    quiet = last >= 0 && now - last < 20_000 ? quiet + 1 : 0
    last = now
    await new Promise((wake) => setTimeout(wake, 1_000))
  }
}

const word = (n) => words[n % words.length]
const requests = {
  'list with search': (server, n) => ask(server, `/api/v1/parcours?search=${word(n)}&published=true&sort=-updated_at&per_page=25&page=1`),
  'list without': (server, n) => ask(server, `/api/v1/parcours?published=true&sort=-updated_at&per_page=25&page=${1 + (n % 20)}`),
  detail: (server, n) => ask(server, `/api/v1/parcours/${server.ids[n % server.ids.length]}`),
  save: (server, n) => ask(server, `/api/v1/parcours/${server.ids[n % server.ids.length]}`, 'PATCH', { title: { fr: `Le tour du lac, version ${n}` } }),
  'quick search': (server, n) => ask(server, `/api/v1/search?q=${word(n)}`),
  map: (server, n) => ask(server, `/api/v1/parcours/map?bbox=${2.5 + (n % 1000) / 1000},44.3,3.7,45.5&zoom=9`),
  session: (server) => ask(server, '/api/v1/session'),
  [FILE]: (server) => ask(server, server.script),
}

/** The medians of the processor time of both servers for a request, µs, and the median of the rounds' ratios. */
async function measured(servers, make, rounds) {
  const spent = [[], []]
  let n = 0
  for (let round = -1; round < rounds; round += 1) {
    const from = n
    for (const which of round % 2 ? [1, 0] : [0, 1]) {
      const begun = processorTime(servers[which].child.pid)
      for (n = from; n < from + times; n += 1) await make(servers[which], n)
      // The first round only warms both up.
      if (round >= 0) spent[which].push((processorTime(servers[which].child.pid) - begun) / times)
    }
  }
  return { spent: spent.map(median), ratio: median(spent[1].map((time, round) => time / spent[0][round])) }
}

const servers = []
try {
  servers.push(await startServer(before, 18471), await startServer(after, 18472))
  for (const server of servers) await settled(server)
  let over = false
  console.log(`${'request'.padEnd(24)}${'before µs'.padStart(11)}${'after µs'.padStart(11)}${'ratio'.padStart(8)}`)
  for (const [name, make] of Object.entries(requests)) {
    if (!isWanted(name)) continue
    let found = await measured(servers, make, rounds)
    if (found.ratio > limit) found = await measured(servers, make, rounds * 3)
    const { spent, ratio } = found
    const isOver = ratio > limit
    over ||= isOver && !accepted.includes(name)
    const mark = isOver ? (accepted.includes(name) ? ' ✗ accepted' : ' ✗') : ''
    console.log(`${name.padEnd(24)}${spent[0].toFixed(0).padStart(11)}${spent[1].toFixed(0).padStart(11)}${ratio.toFixed(2).padStart(8)}${mark}`)
  }
  process.exitCode = over ? 1 : 0
} finally {
  for (const { child } of servers) child.kill()
  rmSync(work, { recursive: true, force: true })
}
