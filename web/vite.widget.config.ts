import { defineConfig } from 'vite'

/** The widget that other sites load: one file with a fixed name. Its map is fetched apart, from the public page's bundle. */
export default defineConfig({
  base: '/widget/',
  build: {
    target: 'es2022',
    outDir: 'dist/widget',
    emptyOutDir: true,
    copyPublicDir: false,
    modulePreload: false,
    rollupOptions: { input: { v1: 'src/widget/v1.ts' }, output: { entryFileNames: '[name].js' } },
  },
})
