// all.mjs [NAME…]: the benches in turn on a release build, then a table of their figures beside their limits and those of the last time on this machine.
// What was measured is added to bench/history.jsonl. Ends with 1 where a figure misses its limit or was not measured.
// NAME: only benches whose name begins so. JALON_BINARY: this server in place of one that is built.
import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs'
import { cpus, hostname, loadavg } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target')
const history = join(root, 'bench/history.jsonl')
const binary = process.env.JALON_BINARY ?? join(target, 'release/jalon')
const rows = process.env.ROWS ?? '20000'
const cores = cpus().length
const wanted = process.argv.slice(2)

// Each figure: its name, where it stands in what the bench prints, its unit and its limit. A negative limit is the least that is asked for.
const benches = {
  trace: { command: ['bench/trace.sh'], figures: [['200,000 points read and measured', /real\s+0m([\d.]+)s/, 's', 2]] },
  start: {
    command: ['bench/start.sh'],
    figures: [['start to health, tile and planned line', /median ([\d.]+) ms/, 'ms', 100], ['memory at rest', /at rest ([\d.]+) MB/, 'MB', 60]],
  },
  import: {
    command: ['bench/import.sh', process.env.FILES ?? '200'],
    figures: [
      ['files imported a second, per core', /import --no-match: .* ([\d.]+) a second/, '/s', -50, cores],
      ['the same with matching', /import with matching: .* ([\d.]+) a second/, '/s', -10, cores],
    ],
  },
  load: {
    command: ['bench/load.sh', rows],
    figures: [
      ['list with search', load('list', 1), 'ms', 2],
      ['list without', load('list_plain', 1), 'ms', 2],
      ['detail', load('detail', 1), 'ms', 0.15],
      ['save', load('update', 1), 'ms', 0.5],
    ],
  },
  events: {
    command: ['node', 'bench/statistics.mjs', '5'],
    figures: [
      ['events a second, one by one', /(?:^|\n)1 to a request: (\d+) events/, '/s', -5000],
      ['events a second, together', /(?:^|\n)20 to a request: (\d+) events/, '/s', -50000],
    ],
  },
  script: {
    command: ['node', 'bench/first-load.mjs'],
    figures: [['script of /login', /\/login: ([\d.]+) kB/, 'kB', 100], ['script of /parcours', /\/parcours: ([\d.]+) kB/, 'kB', 170]],
  },
  draw: { command: ['node', 'bench/draw.mjs'], figures: [['a long recording on the map of the editor', /line on the map after (\d+) ms/, 'ms', 2000]] },
  map: {
    command: ['node', 'bench/first-map.mjs'],
    figures: ['sheet', 'list', 'editor', 'public'].flatMap((page) => [
      [`line seen: ${page} page`, new RegExp(`(?:^|\\n)${page},? .*?line (\\d+)`), 'ms', 1000],
      [`everything drawn: ${page} page`, new RegExp(`(?:^|\\n)${page},? .*?idle (\\d+)`), 'ms', 1800],
    ]),
  },
  interaction: {
    command: ['node', 'bench/interaction.mjs'],
    figures: [['interaction to next paint, processor slowed six times', /interaction to next paint (\d+) ms/, 'ms', 100]],
  },
}

/** Processor time of the server for a request, of an operation and a number of connections, as the load driver has written it. */
function load(op, conns) {
  return (began) => {
    const file = join(root, `bench/load-${rows}.json`)
    // An older file is of another run: the load driver was not there.
    if (!existsSync(file) || statSync(file).mtimeMs < began) return undefined
    return JSON.parse(readFileSync(file, 'utf8')).rows.find((row) => row.op === op && row.conns === conns)?.cpu_ms
  }
}

/** Runs a bench, shows what it prints, and gives it. */
function run([command, ...rest]) {
  return new Promise((done) => {
    const child = spawn(command, rest, { cwd: root, env: { ...process.env, JALON_BINARY: binary }, stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    for (const [stream, out] of [[child.stdout, process.stdout], [child.stderr, process.stderr]]) {
      stream.on('data', (chunk) => {
        text += chunk
        out.write(chunk)
      })
    }
    child.on('close', (code) => done({ text, code }))
  })
}

if (!process.env.JALON_BINARY) {
  const { status } = spawnSync('node', ['scripts/cargo.mjs', 'Building the release', 'build', '--locked', '--release', '--package', 'jalon'], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
const machine = `${hostname()}, ${cores} × ${cpus()[0]?.model ?? 'processor'}`
const earlier = existsSync(history) ? readFileSync(history, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line)) : []
const last = (name) => earlier.filter((one) => one.machine === machine).findLast((one) => name in one.figures)?.figures[name]
const [table, figures, busiest] = [[], {}, []]
for (const [name, { command, figures: asked }] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.some((begin) => name.startsWith(begin))) continue
  console.log(`\n— ${name}: ${command.join(' ')}`)
  const began = Date.now()
  const { text, code } = await run(command)
  busiest.push(loadavg()[0])
  for (const [figure, where, unit, limit, parts = 1] of asked) {
    let found
    if (typeof where === 'function') found = where(began)
    else found = where.exec(text)?.[1]
    const value = found === undefined || code !== 0 ? undefined : Number(found) / parts
    if (value !== undefined) figures[figure] = Number(value.toPrecision(4))
    const isMissed = value === undefined || (limit < 0 ? value < -limit : value > limit)
    table.push({ figure, value, unit, limit, isMissed, before: last(figure) })
  }
}
const written = (value, unit) => (value === undefined ? '–' : `${Number(value.toPrecision(4))} ${unit}`)
console.log(`\n${'figure'.padEnd(56)}${'measured'.padStart(14)}${'limit'.padStart(14)}${'last time'.padStart(14)}`)
for (const { figure, value, unit, limit, isMissed, before } of table) {
  const bound = `${limit < 0 ? '≥' : '≤'} ${written(Math.abs(limit), unit)}`
  console.log(`${figure.padEnd(56)}${written(value, unit).padStart(14)}${bound.padStart(14)}${written(before, unit).padStart(14)}${isMissed ? (value === undefined ? ' not measured' : ' ✗') : ''}`)
}
const git = spawnSync('git', ['describe', '--always', '--dirty'], { cwd: root, encoding: 'utf8' })
const entry = { at: new Date().toISOString(), commit: git.stdout.trim(), machine, load: Number(Math.max(0, ...busiest).toFixed(1)), figures }
if (Object.keys(figures).length > 0) appendFileSync(history, `${JSON.stringify(entry)}\n`)
process.exitCode = table.some(({ isMissed }) => isMissed) ? 1 : 0
