import { payload } from '@/api/payload'

/** The build this page came from: written into the page at build time; in development, what the server says. */
export const currentBuildId = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="jalon-build"]')?.content ?? payload().build_id

/** Is a newer build there? A server that doesn't answer says nothing. */
export async function newerBuild(current: string): Promise<boolean> {
  try {
    const response = await fetch('/builds/latest.json', { cache: 'no-store' })
    if (!response.ok) return false
    const latest: unknown = await response.json()
    return typeof latest === 'object' && latest !== null && 'id' in latest && typeof latest.id === 'string' && latest.id !== current
  } catch {
    return false
  }
}
