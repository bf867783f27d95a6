import { defineConfig } from 'vite'

/**
 * The public page's own small bundle: files with fixed names that the server's page links to (the style with its build in the
 * query), its service worker, and lazy chunks with hashed names.
 */
export default defineConfig({
  base: '/public-page/',
  build: {
    target: 'es2022',
    outDir: 'dist/public-page',
    emptyOutDir: true,
    copyPublicDir: false,
    cssCodeSplit: true,
    assetsInlineLimit: 0,
    // MapLibre, as in the app.
    chunkSizeWarningLimit: 1150,
    rollupOptions: {
      // The map of the widget has a fixed name too: pages of other sites ask for it.
      input: { page: 'src/public/page.ts', worker: 'src/public/worker.ts', 'widget-map': 'src/public/widget-map.ts' },
      preserveEntrySignatures: 'strict',
      output: {
        codeSplitting: { groups: [{ name: 'maplibre', test: /maplibre-gl\/dist\/maplibre-gl[^/]*\.mjs/ }] },
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
        assetFileNames: (asset) => (asset.names[0] === 'page.css' ? 'page.css' : 'chunks/[name]-[hash][extname]'),
      },
    },
  },
  worker: { format: 'es' },
})
