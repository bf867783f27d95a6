import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const dist = new URL('../dist/', import.meta.url).pathname
const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Every file below a folder. */
async function filesBelow(folder) {
  const entries = await readdir(folder, { withFileTypes: true })
  const lists = await Promise.all(
    entries.map((entry) => (entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)])),
  )
  return lists.flat()
}

/** The script of the map. No page, menu or dialog imports it statically: it would be run before they are shown. */
function mapScript(manifest) {
  const closure = (key, seen = new Set()) => {
    if (seen.has(key)) return seen
    seen.add(key)
    manifest[key].imports?.forEach((one) => closure(one, seen))
    return seen
  }
  const isMap = (key) => manifest[key].name === 'maplibre'
  const found = Object.keys(manifest).filter(isMap)
  if (found.length !== 1) throw new Error(`one script of the map is expected: ${found.join(' ')}`)
  const wrong = Object.keys(manifest).filter(
    (key) => /^(index\.html|src\/(app|ui)\/.*|src\/.*Page\.tsx)$/.test(key) && [...closure(key)].some(isMap),
  )
  if (wrong.length > 0) throw new Error(`the script of the map comes with ${wrong.join(', ')}: see chunks.ts`)
  return `/${manifest[found[0]].file}`
}

/**
 * The first script asks for `base` and the router side by side, by itself: neither is one of its static imports. `base` is what every page needs, so
 * the page asks for it too, with its styles, before the first script has come.
 */
function baseLinks(manifest) {
  const entry = manifest['index.html']
  const found = Object.values(manifest).filter(({ name }) => name === 'base')
  const [base] = found
  if (found.length !== 1 || base.css?.length !== 1) throw new Error('one script of every page is expected, with its styles')
  if (scriptsBefore(manifest, 'index.html').has(base.file)) throw new Error('the first script waits for `base`: see chunks.ts and main.tsx')
  if (entry.dynamicImports.length !== 2) throw new Error(`the first script leads to ${entry.dynamicImports.join(' ')}`)
  return {
    script: `<link rel="modulepreload" crossorigin href="/${base.file}">`,
    styles: `<link rel="stylesheet" crossorigin href="/${base.css[0]}">`,
  }
}

/** The greatest weight of the scripts of `/login`, as they are sent. */
const signInMax = 100_000

/** The weight of what the sign-in page loads: its scripts and its texts, in the language where they are longer. */
async function signInWeight() {
  const manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8'))
  const base = Object.keys(manifest).find((key) => manifest[key].name === 'base')
  const scripts = new Set()
  for (const key of ['index.html', base, 'src/features/login/LoginPage.tsx']) scriptsBefore(manifest, key, scripts)
  const size = async (file) => (await readFile(join(dist, `${file}.br`)).catch(() => readFile(join(dist, file)))).length
  const weigh = async (files) => (await Promise.all([...files].map(size))).reduce((sum, one) => sum + one, 0)
  const texts = (locale) => ['common', 'shell', 'login'].map((area) => manifest[`src/i18n/${locale}/${area}.json`].file)
  const weight = (await weigh(scripts)) + Math.max(await weigh(texts('fr')), await weigh(texts('en')))
  if (weight > signInMax) throw new Error(`/login loads ${weight} bytes of script; ${signInMax} are allowed`)
  return weight
}

/** The build's name is the digest of what it holds: the same sources give the same name. It is written into the page, and so is the script of the map. */
async function nameBuild() {
  const manifest = await readFile(join(dist, '.vite/manifest.json'))
  const map = mapScript(JSON.parse(manifest.toString()))
  const base = baseLinks(JSON.parse(manifest.toString()))
  const id = createHash('sha256').update(manifest).digest('hex').slice(0, 16)
  const page = join(dist, 'index.html')
  const html = await readFile(page, 'utf8')
  await writeFile(
    page,
    html
      .replace(
        '<meta name="color-scheme"',
        `<meta name="jalon-build" content="${id}" />\n    <meta name="jalon-map" content="${map}" />\n    <meta name="color-scheme"`,
      )
      .replace('<link rel="modulepreload"', `${base.script}\n    <link rel="modulepreload"`)
      // After the styles of the elements, which they refine.
      .replace('</head>', `  ${base.styles}\n  </head>`),
  )
  await mkdir(join(dist, 'builds/meta'), { recursive: true })
  const timestamp = Number(process.env.SOURCE_DATE_EPOCH ?? 0) * 1000 || Date.now()
  await writeFile(join(dist, 'builds/latest.json'), `${JSON.stringify({ id, timestamp })}\n`)
  const rules = JSON.parse(await readFile(new URL('../route-rules.json', import.meta.url), 'utf8'))
  await writeFile(join(dist, `builds/meta/${id}.json`), `${JSON.stringify({ id, matcher: rules, prerendered: [] })}\n`)
  return id
}

/** What the public page's worker keeps for when there is no network: its bundle but for the worker itself and the widget, and the page's sign. */
async function listPublicPage() {
  const folder = join(dist, 'public-page')
  const files = ['/favicon.svg', ...(await filesBelow(folder)).map((file) => `/${relative(dist, file)}`)]
  await writeFile(
    join(folder, 'files.json'),
    JSON.stringify(
      files
        .filter((file) => !/\/(worker\.js|widget-map\.js|files\.json)$/.test(file))
        .toSorted((one, other) => one.localeCompare(other, 'en')),
    ),
  )
}

/** The areas of texts that `/terrain` uses; `main.tsx` asks for them. */
const groundTexts = ['common', 'errors', 'reviews', 'closures', 'ground']
/** The greatest weight of the scripts that `/terrain` loads before its map, zipped. */
const groundScriptMax = 120_000

/** Writes into the worker of `/terrain` which files it keeps, deletes the texts of other pages, and checks the weight of the scripts. */
async function finishGround() {
  const folder = join(dist, 'terrain')
  const manifest = JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8'))
  const isText = (source) => /i18n\/(fr|en)\/\w+\.json$/.test(source)
  const isUsed = (source) => groundTexts.some((area) => source.endsWith(`/${area}.json`))
  const others = Object.entries(manifest).flatMap(([source, { file }]) => (isText(source) && !isUsed(source) ? [file] : []))
  await Promise.all(others.map((file) => rm(join(folder, file), { force: true })))
  await rm(join(folder, '.vite'), { recursive: true })

  const before = new Set(scriptsBefore(manifest, 'index.html'))
  for (const area of groundTexts) {
    const [source] = Object.keys(manifest).filter((one) => one.endsWith(`i18n/fr/${area}.json`))
    before.add(manifest[source].file)
  }
  const weights = await Promise.all([...before].map(async (file) => (await zip(await readFile(join(folder, file)), { level: 9 })).length))
  const weight = weights.reduce((sum, one) => sum + one, 0)
  if (weight > groundScriptMax) throw new Error(`/terrain loads ${weight} bytes of script before its map; ${groundScriptMax} are allowed`)

  const paths = (await filesBelow(folder))
    .filter((file) => !/\/worker\.js$|\.(br|gz)$/.test(file))
    .toSorted((one, other) => one.localeCompare(other, 'en'))
  const digest = createHash('sha256')
  for (const path of paths) digest.update(await readFile(path))
  const files = ['/favicon.svg', ...paths.map((path) => `/${relative(dist, path)}`)]
  const build = JSON.stringify({ id: digest.digest('hex').slice(0, 16), files })
  const worker = join(folder, 'worker.js')
  const code = await readFile(worker, 'utf8')
  const place = /(["'`])__GROUND_BUILD__\1/
  if (!place.test(code) || /\bimport\b/.test(code)) throw new Error('the worker of /terrain is not one file with a place for its list')
  await writeFile(
    worker,
    code.replace(place, () => JSON.stringify(build)),
  )
  return weight
}

/** The scripts that an entry of a Vite manifest loads at once. */
function scriptsBefore(manifest, entry, found = new Set()) {
  const { file, imports = [] } = manifest[entry]
  if (!found.has(file)) {
    found.add(file)
    imports.forEach((one) => scriptsBefore(manifest, one, found))
  }
  return found
}

/** `.br` and `.gz` beside each text, so that the server never compresses. */
async function compress(file) {
  if (!/\.(js|mjs|css|html|json|svg|txt|webmanifest)$/.test(file)) return
  const bytes = await readFile(file)
  if (bytes.length < 512) return
  const [small, smaller] = await Promise.all([
    zip(bytes, { level: 9 }),
    brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  ])
  await Promise.all([writeFile(`${file}.gz`, small), writeFile(`${file}.br`, smaller)])
}

const id = await nameBuild()
await listPublicPage()
const groundWeight = await finishGround()
const files = await filesBelow(dist)
await Promise.all(files.filter((file) => !/\.(br|gz)$/.test(file)).map(compress))
const loginWeight = await signInWeight()
console.log(
  `build ${id}: ${files.length} files in ${relative(process.cwd(), dist) || '.'}; /terrain has ${groundWeight} bytes of script before its map, /login ${loginWeight}`,
)
