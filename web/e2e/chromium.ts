export { chromiumPath } from '../../scripts/chromium.mjs'

/**
 * Software WebGL2, so that the map draws without a graphics card. The page around the map is drawn by the processor
 * itself: through the software graphics card it takes more than twice the time.
 */
export const launchArgs = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-gpu-compositing',
  '--disable-gpu-rasterization',
  // A page lives for seconds: the compiler that optimises code that runs often costs more time than it saves.
  '--js-flags=--max-optimized-bytecode-size=0',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
