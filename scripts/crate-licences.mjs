// The licences of the crates in the binary, with the words of each crate's own files. Which licences may be there is checked by
// `cargo deny` (deny.toml); here a crate without a licence ends the script.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const target = `${execFileSync('rustc', ['--print', 'host-tuple'], { encoding: 'utf8' })}`.trim()
const asked = ['metadata', '--locked', '--format-version', '1', '--filter-platform', target]
const { packages, resolve } = JSON.parse(execFileSync('cargo', asked, { encoding: 'utf8', maxBuffer: 2 ** 28 }))
const byId = new Map(packages.map((one) => [one.id, one]))
const uses = new Map(resolve.nodes.map(({ id, deps }) => [id, deps.filter((dep) => dep.dep_kinds.some(({ kind }) => kind === null)).map((dep) => dep.pkg)]))

// What the binary is linked with: neither tests nor what only builds need.
const found = new Set()
const left = [packages.find(({ name, source }) => name === 'jalon' && source === null).id]
while (left.length > 0) {
  const id = left.pop()
  if (found.has(id)) continue
  found.add(id)
  left.push(...uses.get(id))
}

const wrong = []
const texts = new Map()
const counts = new Map()
const add = (text, name) => texts.set(text, [...(texts.get(text) ?? []), name])
for (const id of found) {
  const { name, version, license, license_file: file, authors, manifest_path: manifest, source } = byId.get(id)
  if (source === null) continue
  if (license === null && file === null) wrong.push(`${name} ${version} names no licence`)
  const expression = license ?? `the file ${file}`
  counts.set(expression, (counts.get(expression) ?? 0) + 1)
  const folder = dirname(manifest)
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() && /^(licen[cs]e|copying|copyright|notice|unlicense)/i.test(entry.name)).map((entry) => entry.name)
  if (file !== null && !files.includes(file)) files.push(file)
  if (files.length === 0) add(`${expression}; the crate has no file with the words of its licence (those of MIT and Apache-2.0: LICENSE-MIT and LICENSE-APACHE). Authors: ${authors.join(', ') || 'not named'}.`, `${name} ${version}`)
  for (const one of files.sort()) add(readFileSync(join(folder, one), 'utf8').replace(/\r/g, '').trim(), `${name} ${version} (${expression})`)
}
if (wrong.length > 0 || texts.size === 0) {
  console.error(wrong.join('\n') || 'no crate was found')
  process.exit(1)
}
console.log('Licences of the crates in Jalon’s binary\n')
for (const [expression, count] of [...counts].sort()) console.log(`${count} × ${expression}`)
for (const [text, names] of [...texts].sort(([, one], [, other]) => (one[0] < other[0] ? -1 : 1))) console.log(`\n${'-'.repeat(80)}\n${names.sort().join('\n')}\n\n${text}`)
