import { describe, expect, it } from 'vitest'
import { losesMarkup, readEvents, tasksOf } from './assistant'

const bytes = new TextEncoder().encode(
  'event: delta\ndata: {"text":"étonnante"}\n\n: rien\n\nevent: done\ndata: {"text":"Une boucle étonnante"}\n\n',
)

/** The same bytes, in pieces of this size. */
const pieces = (size: number): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
      controller.close()
    },
  })

describe('the events of a text', () => {
  it.each([1, 2, 3, 7, 1000])('are the same in pieces of %i bytes', async (size) => {
    const heard: unknown[] = []
    await readEvents(pieces(size), (name, data) => heard.push([name, data]))
    expect(heard).toEqual([
      ['delta', { text: 'étonnante' }],
      ['done', { text: 'Une boucle étonnante' }],
    ])
  })

  it('end with what the reader refuses', async () => {
    await expect(
      readEvents(pieces(5), () => {
        throw new Error('enough')
      }),
    ).rejects.toThrow('enough')
  })
})

describe('what the assistant writes', () => {
  it('is chosen by the field, its own task first', () => {
    expect(tasksOf('parcours', 'meta_title')[0]).toBe('seo_title')
    expect(tasksOf('parcours', 'title')[0]).toBe('rewrite')
    expect(tasksOf('parcours', 'steps/12/description')[0]).toBe('step_instructions')
    expect(tasksOf('media', 'alt')[0]).toBe('image_alt')
  })

  it('is nothing of a name, a price, a step without number or another sheet', () => {
    for (const field of ['steps/12/title', 'steps/undefined/description', 'price_includes']) expect(tasksOf('parcours', field)).toEqual([])
    expect(tasksOf('poi', 'description')).toEqual([])
  })

  it('loses links and pictures, and keeps paragraphs', () => {
    expect(losesMarkup('<p>Un <a href="https://lac.fr">lac</a></p>')).toBe(true)
    expect(losesMarkup('<p>Un <strong>lac</strong></p>')).toBe(false)
  })
})
