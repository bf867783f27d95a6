import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const target = process.env['CARGO_TARGET_DIR'] ?? join(root, 'target')
const binary = process.env['JALON_BINARY'] ?? join(target, 'debug/jalon')
const shared = process.env['JALON_SHARED'] ?? join(root, '../shared')

/** Third-party tracks and extracts, where they are there. */
export const sharedData = join(shared, 'data')
export const hasSharedData = existsSync(join(sharedData, 'osm/andorra.osm.pbf'))

/** Servers that run already may be named, while a journey is being written. */
export const demoUrl = process.env['E2E_DEMO_URL'] ?? 'http://localhost:18431'
export const andorraUrl = process.env['E2E_ANDORRA_URL'] ?? 'http://localhost:18432'

/** Starts the servers before the journeys and stops them after. */
export default async function start(): Promise<() => void> {
  if (process.env['E2E_DEMO_URL']) return () => undefined
  const folder = mkdtempSync(join(tmpdir(), 'jalon-e2e-'))
  const running: ChildProcess[] = []
  const stop = () => {
    running.forEach((server) => server.kill('SIGTERM'))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const demo = join(folder, 'demo')
    // Where its mails are written: journeys read them.
    process.env['E2E_DEMO_DATA'] = demo
    execFileSync(binary, ['demo', '--data', demo], { stdio: 'pipe' })
    running.push(serve(demo, 18431))
    if (hasSharedData) {
      const andorra = join(folder, 'andorra')
      const extract = join(sharedData, 'osm/andorra.osm.pbf')
      execFileSync(binary, ['network', 'build', extract, '--dem', join(sharedData, 'dem'), '--data', andorra], { stdio: 'pipe' })
      execFileSync(binary, ['demo', '--people-only', '--data', andorra], { stdio: 'pipe' })
      running.push(serve(andorra, 18432))
    }
    await answers(demoUrl)
    if (hasSharedData) await answers(andorraUrl)
  } catch (error) {
    stop()
    throw error
  }
  return stop
}

/** A server of a journey's own, over the demo's people alone and set as it needs; call what it gives to stop it. */
export async function ownServer(port: number, settings: Record<string, string>): Promise<{ url: string; stop: () => void }> {
  const data = mkdtempSync(join(tmpdir(), 'jalon-own-'))
  execFileSync(binary, ['demo', '--people-only', '--data', data], { stdio: 'pipe' })
  const server = serve(data, port, settings)
  const stop = () => {
    server.kill('SIGTERM')
    rmSync(data, { recursive: true, force: true })
  }
  const url = `http://localhost:${port}`
  await answers(url).catch((error: unknown) => {
    stop()
    throw error
  })
  return { url, stop }
}

function serve(data: string, port: number, settings: Record<string, string> = {}): ChildProcess {
  return spawn(binary, ['serve', '--port', String(port), '--data', data], { env: { ...process.env, ...settings }, stdio: process.env['JALON_E2E_LOG'] ? 'inherit' : 'ignore' })
}

async function answers(url: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const ok = await fetch(`${url}/health`).then((reply) => reply.ok).catch(() => false)
    if (ok) return
    await new Promise((wake) => setTimeout(wake, 100))
  }
  throw new Error(`${url} does not answer`)
}
