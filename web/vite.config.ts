import { existsSync } from 'node:fs'
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
]

/** The app, and the separate small pages (share page, widget) where they exist. */
const entries = ['index.html', 'src/public/share.html'].filter((path) => existsSync(here(path)))

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
    testTimeout: 20_000,
    // Most tests in plain TypeScript need no document, and making one takes half a second for each file. One that does
    // says `@vitest-environment jsdom` in its first line.
    projects: [
      { extends: true, test: { name: 'units', environment: 'node', include: ['{src,test}/**/*.test.ts'] } },
      {
        extends: true,
        test: { name: 'components', environment: 'jsdom', include: ['{src,test}/**/*.test.tsx'], setupFiles: ['test/setup.ts'] },
      },
    ],
  },
})
