// Whether web/node_modules is what web/package-lock.json says, version by version: what `npm ci` would have made. `npm ci`
// itself is not used: it asks the lock file for optional packages of platforms that knip's parser declares and the registry
// does not have (see setup.sh).
import { existsSync, readFileSync } from 'node:fs'

const read = (file) => JSON.parse(readFileSync(new URL(`../web/${file}`, import.meta.url), 'utf8'))
const lock = read('package-lock.json')
const declared = read('package.json')
const wrong = []

const root = lock.packages['']
for (const kind of ['dependencies', 'devDependencies']) {
  for (const [name, range] of Object.entries(declared[kind] ?? {})) {
    if (root[kind]?.[name] !== range) wrong.push(`${name}: package.json asks for ${range}, the lock file was made for ${root[kind]?.[name] ?? 'nothing'}`)
  }
}
for (const [path, { version, integrity, resolved, link, optional, peer }] of Object.entries(lock.packages)) {
  if (path === '' || link === true) continue
  if (integrity === undefined) wrong.push(`${path}: no checksum in the lock file`)
  if (resolved !== undefined && !resolved.startsWith('https://')) wrong.push(`${path}: not fetched over https (${resolved})`)
  const manifest = `${path}/package.json`
  if (!existsSync(new URL(`../web/${manifest}`, import.meta.url))) {
    if (optional !== true && peer !== true) wrong.push(`${path}: missing`)
    continue
  }
  const there = read(manifest).version
  if (there !== version) wrong.push(`${path}: ${there} instead of ${version}`)
}
if (wrong.length > 0) {
  console.error(`The web app's packages are not those of the lock file:\n${wrong.join('\n')}`)
  process.exit(1)
}
