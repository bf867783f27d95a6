import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { chunks } from './chunks.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The server that `npm run dev` talks to. */
const server = process.env['JALON_SERVER'] ?? 'http://localhost:8080'
const served = [
  '/api',
  '/payload.json',
  '/builds',
  '/map',
  '/media/',
  '/guide/img',
  '/health',
  '/p/',
  '/s/',
  '/en/p/',
  '/en/s/',
  '/public-page/',
  '/terrain',
  '/widget/v1',
  '/chez/',
  '/en/chez/',
  '/id/',
]

/** The app, and the separate small pages (share page, widget) where they exist. */
const entries = ['index.html', 'src/public/share.html'].filter((path) => existsSync(here(path)))

/** Tests in plain TypeScript that need a document: their first line is `// @vitest-environment jsdom`. */
const withDocument = ['src', 'test']
  .flatMap((folder) => readdirSync(here(folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`))
  .filter((path) => path.endsWith('.test.ts') && readFileSync(here(path), 'utf8').startsWith('// @vitest-environment jsdom'))

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { '@': here('./src') } },
  server: { port: 5173, proxy: Object.fromEntries(served.map((path) => [path, { target: server }])) },
  build: {
    target: 'es2022',
    manifest: true,
    sourcemap: false,
    assetsInlineLimit: 1024,
    // MapLibre is one module of 1.1 MB (305 kB zipped) that cannot be split; it comes only with a page that shows a map.
    // Everything else stays under half of it: the warning is for what would grow beyond.
    chunkSizeWarningLimit: 1150,
    rollupOptions: { input: entries.map(here), output: { codeSplitting: { groups: chunks } } },
  },
  worker: { format: 'es' },
  test: {
    css: false,
    restoreMocks: true,
    // A machine that builds meanwhile is slow, not wrong.
    testTimeout: 60_000,
    // Test files share a process: a new one for each would load React and Mantine again. `test/setup.ts` and
    // `test/setup-document.ts` reset what a file could leave to the next one.
    isolate: false,
    // A test in plain TypeScript has no document, unless its first line asks for one. The projects run one after the
    // other: files of both in turn would start a process each time.
    projects: [
      {
        extends: true,
        test: {
          name: 'units',
          environment: 'node',
          include: ['{src,test}/**/*.test.ts'],
          exclude: withDocument,
          setupFiles: ['test/setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'components',
          environment: 'jsdom',
          include: ['{src,test}/**/*.test.tsx', ...withDocument],
          setupFiles: ['test/setup.ts', 'test/setup-document.ts'],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
