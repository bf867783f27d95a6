// media.mjs [COUNT]: COUNT photos (200) of about 8 MB each are uploaded by tus, four at a time, while another user reads
// lists; the server is killed once in the middle and goes on. Prints the slowest answer to the other user (ms), the peak
// memory (MiB) and the durations (s). JALON_BINARY is the server, PHOTO a JPEG (else made by an example of ours).
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serverBinary, signedIn, started } from './server.mjs'

const root = new URL('..', import.meta.url).pathname
const binary = serverBinary()
const count = Number(process.argv[2] ?? 200)
const port = Number(process.env.PORT ?? 18447)
const base = `http://127.0.0.1:${port}`
const work = mkdtempSync(join(tmpdir(), 'jalon-media-'))
const data = join(work, 'data')
let server

function photo() {
  const given = process.env.PHOTO
  if (given !== undefined && existsSync(given)) return readFileSync(given)
  const file = join(work, 'photo.jpg')
  execFileSync('cargo', ['run', '--locked', '--quiet', '--package', 'media', '--example', 'photo', '--', file], { cwd: root, stdio: 'inherit' })
  return readFileSync(file)
}

async function serve() {
  server = spawn(binary, ['serve', '--data', data, '--port', String(port)], { stdio: 'ignore' })
  await started(base, server)
}

/** Sends one photo; an interrupted upload continues at its offset, as in a browser. */
async function send(bytes, name, session) {
  const tus = { ...session, 'Tus-Resumable': '1.0.0' }
  const persist = async (work) => {
    for (let tries = 0; ; tries += 1) {
      try {
        return await work()
      } catch (error) {
        if (tries > 600) throw error
        await new Promise((wake) => setTimeout(wake, 100))
      }
    }
  }
  const created = await persist(() => fetch(`${base}/api/v1/uploads`, { method: 'POST', headers: { ...tus, 'Upload-Length': bytes.length, 'Upload-Metadata': `filename ${Buffer.from(name).toString('base64')}` } }))
  const place = base + created.headers.get('location')
  for (;;) {
    const head = await persist(() => fetch(place, { method: 'HEAD', headers: tus }))
    const offset = Number(head.headers.get('upload-offset'))
    if (offset === bytes.length) break
    await fetch(place, { method: 'PATCH', headers: { ...tus, 'Upload-Offset': offset, 'Content-Type': 'application/offset+octet-stream' }, body: bytes.subarray(offset) }).catch(() => undefined)
  }
  const upload = await persist(async () => (await fetch(place, { headers: session })).json())
  if (upload.state !== 'done') throw new Error(JSON.stringify(upload))
}

const watched = { slowest: 0, answers: 0, memory: 0, restarting: false, over: false }

async function otherUser(session) {
  while (!watched.over) {
    for (const path of ['/api/v1/medias?per_page=25', '/api/v1/parcours?per_page=25', '/api/v1/session']) {
      const began = performance.now()
      const fine = await fetch(base + path, { headers: session }).then((answer) => answer.text().then(() => answer.ok), () => false)
      if (!watched.restarting && fine) {
        watched.slowest = Math.max(watched.slowest, performance.now() - began)
        watched.answers += 1
      }
    }
    const status = existsSync(`/proc/${server.pid}/status`) ? readFileSync(`/proc/${server.pid}/status`, 'utf8') : ''
    watched.memory = Math.max(watched.memory, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0))
    await new Promise((wake) => setTimeout(wake, 50))
  }
}

try {
  const bytes = photo()
  execFileSync(binary, ['demo', '--data', data, ...(process.env.DEMO_ARGS?.split(' ') ?? [])], { stdio: 'ignore' })
  await serve()
  const session = await signedIn(base)
  const other = otherUser(await signedIn(base))
  const began = performance.now()
  let next = 0
  let sent = 0
  const killAt = Math.floor(count / 2)
  const lane = async () => {
    while (next < count) {
      const number = next
      next += 1
      await send(bytes, `photo-${number}.jpg`, session)
      sent += 1
      if (sent === killAt) {
        watched.restarting = true
        const gone = once(server, 'exit')
        server.kill('SIGKILL')
        await gone
        await serve()
        watched.restarting = false
      }
    }
  }
  await Promise.all([lane(), lane(), lane(), lane()])
  const received = performance.now() - began
  let waiting = count
  while (waiting > 0) {
    const list = await fetch(`${base}/api/v1/medias?per_page=200&search=photo&sort=-id`, { headers: session }).then((answer) => answer.json())
    if (list.items.some((item) => item.state === 'broken')) throw new Error('a photo could not be made')
    waiting = list.items.filter((item) => item.state === 'processing').length + Math.max(0, count - list.total)
    await new Promise((wake) => setTimeout(wake, 500))
  }
  const made = performance.now() - began
  watched.over = true
  await other
  console.log(JSON.stringify({ photos: count, photo_bytes: bytes.length, received_s: received / 1000, made_s: made / 1000, slowest_other_ms: watched.slowest, other_answers: watched.answers, memory_mib: watched.memory / 1024 }))
} finally {
  server?.kill()
  rmSync(work, { recursive: true, force: true })
}
