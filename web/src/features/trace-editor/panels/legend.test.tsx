import { render, screen } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import type { TraceAnalysis } from '@/api/types'
import { startTexts } from '@/i18n'
import { AppTheme } from '@/ui/theme/AppTheme'
import { EditorProvider } from '../editor/context'
import { Editor } from '../editor/store'
import { analysisForTests, parcoursForTests, payloadForTests, servicesForTests, traceForTests } from '../editor/testing'
import { eastward } from '../logic/testing'
import { Legend } from './Legend'

beforeAll(async () => {
  payloadForTests()
  await startTexts('fr', ['common', 'errors', 'shell', 'trace'])
})

type Gap = NonNullable<TraceAnalysis['reliability']>['gaps'][number]

/** The words of the legend for a trace with one stretch that is not judged. */
function legendOf(cause: Gap['cause'], kind: 'source' | 'free' = 'source'): string[] {
  const line = eastward(101)
  const { reliability } = analysisForTests(line)
  const gap: Gap = {
    cause,
    judged: false,
    from_m: 2000,
    to_m: 3000,
    length_m: 1000,
    max_offset_m: 0,
    points: 0,
    line: line.slice(20, 31),
    fix: null,
    way_id: null,
  }
  const trace = { ...traceForTests(), legs: [{ kind, line }], reliability: reliability && { ...reliability, gaps: [gap] } }
  const editor = new Editor({ parcours: parcoursForTests(), trace, profile: 'hiking' }, servicesForTests())
  const { unmount } = render(
    <AppTheme>
      <EditorProvider editor={editor}>
        <Legend />
      </EditorProvider>
    </AppTheme>,
  )
  const words = screen.getAllByRole('listitem').map((item) => item.textContent ?? '')
  unmount()
  return words
}

describe('the legend', () => {
  const [hole, outside] = ['Trou du GPS, non jugé', 'Hors de la carte, non jugé']
  it('names a gap of the GPS where the recording has one', () => {
    expect(legendOf('recording_hole')).toContain(hole)
    expect(legendOf('sparse')).toContain(hole)
  })
  it('says of what is off the map that it is off the map, and of nothing else', () => {
    expect(legendOf('outside_extract')).toContain(outside)
    expect(legendOf('outside_extract')).not.toContain(hole)
    expect(legendOf('recording_hole')).not.toContain(outside)
  })
  it('does not call a free stretch a gap of the GPS', () => {
    const words = legendOf('kept_off_network', 'free')
    expect(words).toContain('Hors réseau')
    expect(words).not.toContain(hole)
  })
})
