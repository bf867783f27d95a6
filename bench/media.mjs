// media.mjs [COUNT]: COUNT photos (200) of about 8 MB each come in at once by tus, four at a time, while another user
// reads lists; the server is killed once in the middle and goes on. Tells the slowest answer to the other user, the
// memory at its most, and how long it took. JALON_BINARY is the server, PHOTO a JPEG (else made by an example of ours).
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = new URL('..', import.meta.url).pathname
const binary = process.env.JALON_BINARY ?? join(process.env.CARGO_TARGET_DIR ?? join(root, 'target'), 'release/jalon')
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
  for (let tries = 0; tries < 1200; tries += 1) {
    const up = await fetch(`${base}/health`).then((answer) => answer.ok, () => false)
    if (up) return
    await new Promise((wake) => setTimeout(wake, 50))
  }
  throw new Error('the server does not start')
}

async function signIn() {
  const answer = await fetch(`${base}/api/v1/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'superadmin@demo.jalon.example', password: 'balise-jaune-2026' }),
  })
  if (!answer.ok) throw new Error(`sign in: ${answer.status}`)
  return answer.headers.getSetCookie()[0].split(';')[0]
}

/** Sends one photo; a line that is cut is taken up where it was, as a browser does. */
async function send(bytes, name, cookie) {
  const tus = { Cookie: cookie, 'Tus-Resumable': '1.0.0' }
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
  const told = await persist(async () => (await fetch(place, { headers: { Cookie: cookie } })).json())
  if (told.state !== 'done') throw new Error(JSON.stringify(told))
}

const watched = { slowest: 0, answers: 0, memory: 0, restarting: false, over: false }

async function otherUser(cookie) {
  while (!watched.over) {
    for (const path of ['/api/v1/medias?per_page=25', '/api/v1/parcours?per_page=25', '/api/v1/session']) {
      const began = performance.now()
      const fine = await fetch(base + path, { headers: { Cookie: cookie } }).then((answer) => answer.text().then(() => answer.ok), () => false)
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
  const cookie = await signIn()
  const other = otherUser(await signIn())
  const began = performance.now()
  let next = 0
  let sent = 0
  const killAt = Math.floor(count / 2)
  const lane = async () => {
    while (next < count) {
      const number = next
      next += 1
      await send(bytes, `photo-${number}.jpg`, cookie)
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
    const list = await fetch(`${base}/api/v1/medias?per_page=200&search=photo&sort=-id`, { headers: { Cookie: cookie } }).then((answer) => answer.json())
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
