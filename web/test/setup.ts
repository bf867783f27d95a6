import { afterAll, vi } from 'vitest'

// Runs before each test file: the modules of the app are loaded anew, so that none keeps what an earlier file left in them.
vi.resetModules()

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})
