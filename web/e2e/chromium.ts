export { chromiumPath } from '../../scripts/chromium.mjs'

const commonArgs = [
  '--no-sandbox',
  // A page lives for seconds: the compiler that optimises code that runs often costs more time than it saves.
  '--js-flags=--max-optimized-bytecode-size=0',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Software WebGL2, so that the map draws without a graphics card. The page around the map is drawn by the processor
 * itself: through the software graphics card it takes more than twice the time.
 */
export const launchArgs = [
  ...commonArgs,
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-gpu-compositing',
  '--disable-gpu-rasterization',
]

/** No WebGL: in place of a map, pages say that it cannot be drawn. */
export const launchArgsWithoutWebgl = [...commonArgs, '--disable-gpu', '--disable-3d-apis']
