import { defineConfig } from 'vite'

/**
 * The public page's own small bundle: two files with fixed names that the server's page links to
 * (the style with its build in the query), and lazy chunks with hashed names.
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
    rollupOptions: {
      input: { page: 'src/public/page.ts' },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
        assetFileNames: (asset) => (asset.names[0] === 'page.css' ? 'page.css' : 'chunks/[name]-[hash][extname]'),
      },
    },
  },
  worker: { format: 'es' },
})
