import { describe, expect, it, vi } from 'vitest'
import { aPayload } from '../../../../test/payload'
import { ImportStore, type SendEvents } from './store'

const limits = aPayload().limits.media
const file = (name: string, bytes = 10) => new File([new Uint8Array(bytes)], name)

function open() {
  const sent = new Map<
    string,
    SendEvents & { start: ReturnType<typeof vi.fn>; pause: ReturnType<typeof vi.fn>; drop: ReturnType<typeof vi.fn> }
  >()
  const imported = vi.fn<(count: number) => void>()
  const store = new ImportStore(
    ({ name }, events) => {
      const sender = { start: vi.fn(), pause: vi.fn(), drop: vi.fn() }
      sent.set(name, { ...events, ...sender })
      return sender
    },
    () => limits,
    imported,
    () => 0,
  )
  const of = (name: string) => {
    const found = sent.get(name)
    if (found === undefined) throw new Error(`${name} was not sent`)
    return found
  }
  return { store, of, imported, states: () => Object.fromEntries(store.get().map((item) => [item.file.name, item.state])) }
}

describe('an import of files', () => {
  it('sends three at once and the next when one is through', () => {
    const { store, of, states, imported } = open()
    store.add(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'].map((name) => file(name)))
    expect(states()).toEqual({ 'a.jpg': 'sending', 'b.jpg': 'sending', 'c.jpg': 'sending', 'd.jpg': 'waiting' })
    of('a.jpg').onDone(7)
    expect(states()).toMatchObject({ 'a.jpg': 'done', 'd.jpg': 'sending' })
    expect(imported).not.toHaveBeenCalled()
    for (const name of ['b.jpg', 'c.jpg', 'd.jpg']) of(name).onDone(8)
    expect(imported).toHaveBeenCalledExactlyOnceWith(4)
  })
  it('refuses in words what needs no sending, and goes on with the rest', () => {
    const { store, states } = open()
    store.add([file('photo.HEIC'), file('tableau.xlsx'), file('grand.jpg', 101), file('bon.png')])
    expect(states()).toEqual({ 'photo.HEIC': 'refused', 'tableau.xlsx': 'refused', 'grand.jpg': 'refused', 'bon.png': 'sending' })
    expect(store.get().map(({ problem }) => (problem as { code?: string } | null)?.code)).toEqual([
      'media/heic',
      'media/not-supported',
      'media/too-large',
      undefined,
    ])
  })
  it('pauses one, lets another go, and takes it up where it was', () => {
    const { store, of, states } = open()
    store.add(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'].map((name) => file(name)))
    const key = store.get()[0]?.key ?? ''
    store.pause(key)
    expect(of('a.jpg').pause).toHaveBeenCalledOnce()
    expect(states()).toMatchObject({ 'a.jpg': 'paused', 'd.jpg': 'sending' })
    of('b.jpg').onDone(1)
    store.resume(key)
    expect(states()).toMatchObject({ 'a.jpg': 'sending' })
    // The same sender goes on: nothing is sent twice.
    expect(of('a.jpg').start).toHaveBeenCalledTimes(2)
  })
  it('forgets one that is taken out, and what is through when asked', () => {
    const { store, of, states } = open()
    store.add([file('a.jpg'), file('b.jpg')])
    store.remove(store.get()[0]?.key ?? '')
    expect(of('a.jpg').drop).toHaveBeenCalledOnce()
    of('b.jpg').onRefused(new Error('no'))
    store.clear()
    expect(states()).toEqual({})
  })
})
