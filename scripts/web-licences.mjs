// The licences of the packages that the web app is built from, with the words of each package's own file.
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const web = new URL('../web/', import.meta.url)
const lock = JSON.parse(readFileSync(new URL('package-lock.json', web), 'utf8'))
const allowed = new Set(['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'OFL-1.1', 'Unlicense', 'CC0-1.0', 'Zlib', 'BlueOak-1.0.0', 'Python-2.0'])
// Packages whose licence is in their README alone.
const inReadme = new Map([['combine-errors 3.0.3', 'MIT']])
const wrong = []
const texts = new Map()

for (const [path, { dev, devOptional, optional, license, version }] of Object.entries(lock.packages)) {
  if (path === '' || dev === true || devOptional === true) continue
  const folder = new URL(`${path}/`, web)
  if (!existsSync(folder)) {
    // Packages of other platforms, of which nothing is in the app.
    if (optional !== true) wrong.push(`${path} is not installed`)
    continue
  }
  const name = `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)} ${version}`
  const licence = license ?? inReadme.get(name) ?? JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')).license
  const choices = String(licence).replace(/[()]/g, '').split(' OR ')
  if (!choices.some((choice) => choice.split(' AND ').every((part) => allowed.has(part)))) wrong.push(`${name}: ${licence} is not among the allowed licences`)
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry))
  const text = file === undefined ? `${licence} (the package has no file with its words)` : readFileSync(new URL(file, folder), 'utf8').trim()
  const title = `${licence}\n\n${text}`
  texts.set(title, [...(texts.get(title) ?? []), name])
}
if (wrong.length > 0 || texts.size === 0) {
  console.error(wrong.join('\n') || 'no package was found')
  process.exit(1)
}
console.log('Licences of the packages in the web app of Jalon\n')
for (const [text, names] of texts) console.log(`${'-'.repeat(80)}\n${names.sort().join('\n')}\n\n${text}\n`)
