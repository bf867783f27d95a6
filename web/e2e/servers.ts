import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { FullConfig } from '@playwright/test'

const root = resolve(import.meta.dirname, '../..')
const target = process.env['CARGO_TARGET_DIR'] ?? join(root, 'target')
const binary = process.env['JALON_BINARY'] ?? join(target, 'debug/jalon')
const shared = process.env['JALON_SHARED'] ?? join(root, '../shared')

/** Third-party tracks and extracts, if the folder exists. */
export const sharedData = join(shared, 'data')
export const hasSharedData = existsSync(join(sharedData, 'osm/andorra.osm.pbf'))

/** Tests run in several processes. Each process has its servers, so that tests never share a database. */
const place = Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)
const demoPort = (at: number) => 18431 + 10 * at
const andorraPort = (at: number) => 18432 + 10 * at

/** Running servers may be given by environment variables, to develop a test. */
export const demoUrl = process.env['E2E_DEMO_URL'] ?? `http://localhost:${demoPort(place)}`
export const andorraUrl = process.env['E2E_ANDORRA_URL'] ?? `http://localhost:${andorraPort(place)}`

/** Where the demo's server of this process keeps its data: journeys read the mails it wrote. */
export const demoData = () => join(process.env['E2E_DATA'] ?? '', `demo-${place}`)

/** Runs a command of the binary to its end. */
const run = async (...args: string[]): Promise<void> => {
  await promisify(execFile)(binary, args)
}

/** The demo's people alone, made once: making their passwords takes four seconds, a copy none. */
const people = () => join(process.env['E2E_DATA'] ?? '', 'people')

/** Starts the servers before the journeys and stops them after. */
export default async function start({ workers }: FullConfig): Promise<() => Promise<void>> {
  if (process.env['E2E_DEMO_URL']) return () => Promise.resolve()
  const folder = mkdtempSync(join(tmpdir(), 'jalon-e2e-'))
  process.env['E2E_DATA'] = folder
  const running: ChildProcess[] = []
  const urls: string[] = []
  const stop = async () => {
    await Promise.all(running.map(ended))
    rmSync(folder, { recursive: true, force: true })
  }
  /** Starts a server for each process, each over a copy of a folder that is filled. */
  const servers = (name: string, port: (at: number) => number) => {
    for (let at = 1; at < workers; at++) cpSync(join(folder, `${name}-0`), join(folder, `${name}-${at}`), { recursive: true })
    for (let at = 0; at < workers; at++) {
      running.push(serve(join(folder, `${name}-${at}`), port(at)))
      urls.push(`http://localhost:${port(at)}`)
    }
  }
  try {
    const demo = run('demo', '--data', join(folder, 'demo-0'))
    const andorra = async () => {
      await run('demo', '--people-only', '--data', people())
      if (!hasSharedData) return
      const data = join(folder, 'andorra-0')
      cpSync(people(), data, { recursive: true })
      await run('network', 'build', join(sharedData, 'osm/andorra.osm.pbf'), '--dem', join(sharedData, 'dem'), '--data', data)
    }
    // Each uses one core.
    await Promise.all([demo, andorra()])
    servers('demo', demoPort)
    if (hasSharedData) servers('andorra', andorraPort)
    await Promise.all(urls.map(answers))
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}

/** A port that is not in use. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((ready) => server.listen(0, ready))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

export interface OwnServer {
  url: string
  stop: () => Promise<void>
  /** Kills it in the middle of what it does, and starts it again on the same data. */
  killed: () => Promise<void>
}

/** A server of a journey's own, over the demo's people alone and set as it needs. */
export async function ownServer(settings: Record<string, string> = {}): Promise<OwnServer> {
  const data = mkdtempSync(join(tmpdir(), 'jalon-own-'))
  const port = await freePort()
  if (existsSync(people())) cpSync(people(), data, { recursive: true })
  else await run('demo', '--people-only', '--data', data)
  let server = serve(data, port, settings)
  const stop = async () => {
    await ended(server)
    rmSync(data, { recursive: true, force: true })
  }
  const url = `http://localhost:${port}`
  const killed = async () => {
    await ended(server)
    server = serve(data, port, settings)
    await answers(url)
  }
  await answers(url).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return { url, stop, killed }
}

function serve(data: string, port: number, settings: Record<string, string> = {}): ChildProcess {
  return spawn(binary, ['serve', '--port', String(port), '--data', data], {
    env: { ...process.env, ...settings },
    stdio: process.env['JALON_E2E_LOG'] ? 'inherit' : 'ignore',
  })
}

/** Kills a server and waits for its end: until then it may write into its folder, which can then not be removed. */
async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exit = once(server, 'exit')
  server.kill('SIGKILL')
  await exit
}

async function answers(url: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const ok = await fetch(`${url}/health`)
      .then((reply) => reply.ok)
      .catch(() => false)
    if (ok) return
    await new Promise((wake) => setTimeout(wake, 100))
  }
  throw new Error(`${url} does not answer`)
}
