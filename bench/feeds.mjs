// feeds.mjs [N]: public feeds over N synthetic parcours (100000): a cached list under load, and pages that were not requested before.
// The server and the driver share the machine's cores; the processor time of the server for each answer is printed beside the rate.
import { execFileSync, spawn } from 'node:child_process'
import { Agent, get } from 'node:http'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { ofProcess } from './processor.mjs'
import { serverBinary, signedIn, started } from './server.mjs'

const binary = serverBinary()
const count = process.argv[2] ?? '100000'
const port = Number(process.env.PORT ?? 18449)
const base = `http://127.0.0.1:${port}`
const work = mkdtempSync(join(tmpdir(), 'jalon-feeds-'))
// DATA: a folder kept between runs.
const data = process.env.DATA ?? join(work, 'data')
const TIMES = 40

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]

if (!existsSync(data)) execFileSync(binary, ['demo', '--data', data, '--parcours', count], { stdio: ['ignore', 'ignore', 'inherit'] })
const env = { ...process.env, JALON_PUBLIC_REQUESTS_A_MINUTE: '0' }
const server = spawn(binary, ['serve', '--data', data, '--port', String(port)], { stdio: 'ignore', env })
try {
  await started(base, server)
  const send = async (method, path, body, headers) => {
    const reply = await fetch(`${base}${path}`, { method, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return reply
  }
  const session = await signedIn(base)
  const labels = await (await fetch(`${base}/api/v1/white-labels?per_page=200`, { headers: session })).json()
  // Until the last byte is there, as it is sent (packed); what the driver then does with it is not the server's time.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (path, key) => new Promise((resolve, reject) => {
    const begun = performance.now()
    get(`${base}${path}`, { agent, headers: { 'X-Api-Key': key, 'Accept-Encoding': 'gzip' } }, (reply) => {
      const parts = []
      reply.on('data', (part) => parts.push(part))
      reply.on('end', () => {
        const ms = performance.now() - begun
        const sent = Buffer.concat(parts)
        const body = (reply.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent).toString()
        if (reply.statusCode === 200) resolve({ ms, bytes: body.length, body })
        else reject(new Error(`${path}: ${reply.statusCode} ${body}`))
      })
    }).on('error', reject)
  })
  // The white-label that hands out the most.
  let best = { total: -1, key: '' }
  for (const { id, name } of labels.items) {
    const made = await send('POST', `/api/v1/white-labels/${id}/api-key`, {}, { ...session, 'If-Match': '*' })
    const { key } = await made.json()
    const { total } = JSON.parse((await ask('/api/public/v1/parcours?per_page=1', key)).body)
    if (total > best.total) best = { total, key, name }
  }
  const { key } = best
  console.log(`${best.total} parcours by the key of ${best.name}`)
  const questions = {
    'own list, 100 rows': (n) => `/api/public/v1/parcours?per_page=100&page=${1 + n * 7}`,
    'own GeoJSON, 100 lines': (n) => `/api/public/v1/parcours?per_page=100&format=geojson&page=${1 + n * 7}`,
    'geotrek trek, 100 rows': (n) => `/api/v2/trek/?page_size=100&page=${1 + n * 7}`,
    'geotrek trek, no geometry': (n) => `/api/v2/trek/?page_size=100&omit=geometry,length_3d&page=${1 + n * 7}`,
    'own list in a box': (n) => `/api/public/v1/parcours?per_page=100&bbox=${2.7 + n / 100},44.6,${2.9 + n / 100},44.9`,
  }
  console.log(`${'question never asked before'.padEnd(30)}${'median ms'.padStart(10)}${'95 %'.padStart(8)}${'cpu ms'.padStart(8)}${'kB'.padStart(7)}`)
  for (const [name, question] of Object.entries(questions)) {
    const first = JSON.parse((await ask(question(0), key)).body)
    const rows = (first.items ?? first.results ?? first.features).length
    if (rows === 0) { console.log(`${name.padEnd(30)} nothing is handed out`); continue }
    const [before, times] = [ofProcess(server.pid), []]
    let bytes = 0
    for (let n = 1; n <= TIMES; n += 1) {
      const asked = await ask(question(n), key)
      times.push(asked.ms)
      bytes = Math.max(bytes, asked.bytes)
    }
    const cpu = (ofProcess(server.pid) - before) / TIMES
    times.sort((a, b) => a - b)
    console.log(`${name.padEnd(30)}${at(times, 0.5).toFixed(1).padStart(10)}${at(times, 0.95).toFixed(1).padStart(8)}${cpu.toFixed(1).padStart(8)}${(bytes / 1000).toFixed(0).padStart(7)}`)
  }
  console.log(`\n${'the same question, remembered'.padEnd(30)}${'answers/s'.padStart(10)}${'cpu ms'.padStart(8)}`)
  for (const [name, path, headers] of [
    ['own list, 50 rows', '/api/public/v1/parcours', []],
    ['own list, 50 rows, packed', '/api/public/v1/parcours', ['Accept-Encoding: gzip']],
    ['geotrek theme', '/api/v2/theme/', []],
    ['own list, known (304)', '/api/public/v1/parcours', null],
  ]) {
    const reply = await fetch(`${base}${path}`, { headers: { 'X-Api-Key': key } })
    const sent = [`X-Api-Key: ${key}`, ...(headers ?? [`If-None-Match: ${reply.headers.get('etag')}`])]
    const before = ofProcess(server.pid)
    const printed = execFileSync('wrk', ['-t1', '-c16', '-d5s', ...sent.flatMap((line) => ['-H', line]), `${base}${path}`], { encoding: 'utf8' })
    const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(printed)[1])
    const answers = Number(/(\d+) requests in/.exec(printed)[1])
    console.log(`${name.padEnd(30)}${rate.toFixed(0).padStart(10)}${((ofProcess(server.pid) - before) / answers).toFixed(3).padStart(8)}`)
  }
} finally {
  server.kill()
  rmSync(work, { recursive: true, force: true })
}
