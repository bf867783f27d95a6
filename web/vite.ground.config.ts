import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Errors of what `/terrain` has no form for: their texts would be a tenth of the script before its map. */
const otherPages = /^(import|transport|translation|sit|assistant|roadbook|statistics|speech|audio|provider-link)\//

/** Leaves the errors of other pages out of the texts. */
const errorsOfGround: Plugin = {
  name: 'errors-of-ground',
  enforce: 'pre',
  transform(code, id) {
    if (!/i18n\/(fr|en)\/errors\.json$/.test(id)) return undefined
    const texts = JSON.parse(code) as Record<string, string>
    return JSON.stringify(Object.fromEntries(Object.entries(texts).filter(([name]) => !otherPages.test(name))))
  },
}

/** The page for work on the ground: its own page, its service worker with a fixed name, and chunks with hashed names. */
export default defineConfig({
  root: here('./src/ground'),
  base: '/terrain/',
  plugins: [react(), errorsOfGround],
  resolve: { alias: { '@': here('./src') } },
  build: {
    target: 'es2022',
    outDir: here('./dist/terrain'),
    emptyOutDir: true,
    manifest: true,
    assetsInlineLimit: 0,
    // MapLibre, as in the app.
    chunkSizeWarningLimit: 1150,
    rollupOptions: {
      input: { index: here('./src/ground/index.html'), worker: here('./src/ground/worker.ts') },
      output: {
        codeSplitting: { groups: [{ name: 'maplibre', test: /maplibre-gl\/dist\/maplibre-gl[^/]*\.mjs/ }] },
        entryFileNames: ({ name }) => (name === 'worker' ? 'worker.js' : 'assets/[name]-[hash].js'),
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
  worker: { format: 'es' },
})
