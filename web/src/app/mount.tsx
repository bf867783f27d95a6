import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { applyScheme } from '@/ui/theme/scheme'
import { CrashBoundary } from './CrashBoundary'
import { watchMissingChunks } from './missing-chunk'
import { start } from './start'

/** Puts the page into its place, once what it needs is there. */
export async function mount(host: HTMLElement): Promise<void> {
  const page = createRoot(host)
  applyScheme()
  watchMissingChunks()
  await start((content) =>
    page.render(
      <StrictMode>
        <CrashBoundary>{content}</CrashBoundary>
      </StrictMode>,
    ),
  )
}
