import { queryOptions } from '@tanstack/react-query'
import type { AssistantTask, AssistantTone } from '@/api/types'
import { api, unwrap } from '@/api/client'

/** Which texts of a sheet can be written, and by what. */
export const assistantQuery = (kind: 'parcours' | 'media', id: number) =>
  queryOptions({
    queryKey: ['assistant', kind, id],
    queryFn: () => unwrap(api.GET('/api/v1/assistant/{kind}/{id}', { params: { path: { kind, id } } })),
    staleTime: 60_000,
  })

export interface Wanted {
  kind: 'parcours' | 'media'
  id: number
  task: AssistantTask
  field: string
  language: string
  tone: AssistantTone
  text: string
  instructions: string
  length: number | null
  template: boolean
}

/** The whole of a text, once it is there. */
export interface Written {
  text: string
  /** `jalon` for our own sentences, else the model. */
  by: string
  is_cut: boolean
  tokens: number | null
}

/** A text that was not completed: the code of the server, and the part that arrived. */
export class WritingError extends Error {
  constructor(
    readonly code: string,
    readonly params: Record<string, string>,
  ) {
    super(code)
  }
}

/** The tasks that write each field from facts alone. */
const own: Record<'parcours' | 'media', Record<string, readonly AssistantTask[]>> = {
  parcours: {
    title: [],
    subtitle: ['subtitle'],
    summary: ['summary'],
    description: ['description', 'falc'],
    anonymous_title: [],
    anonymous_description: [],
    meta_title: ['seo_title'],
    meta_description: ['seo_description'],
    audio_guide: ['audio_script'],
  },
  media: { alt: ['image_alt'], legend: [] },
}
const onText: readonly AssistantTask[] = ['rewrite', 'shorten', 'expand', 'change_tone', 'fix_spelling']

/** Tasks that work on a text that is there. */
export const needsText = (task: AssistantTask): boolean => task === 'translate' || onText.includes(task)

/** The tasks that fit a field, as the server calls it, the one for it first; none where the assistant does not write. */
export function tasksOf(kind: string, field: string): readonly AssistantTask[] {
  if (kind !== 'parcours' && kind !== 'media') return []
  // The name of a step is a name; a step that is not saved yet has no number.
  const ofField = /^steps\/\d+\/description$/.test(field) && kind === 'parcours' ? (['step_instructions'] as const) : own[kind][field]
  return ofField === undefined ? [] : [...ofField, ...onText, 'translate']
}

/** Whether a text has markup that a proposal would lose. */
export const losesMarkup = (html: string): boolean => /<(a|img|blockquote|table|h[1245])[\s>]/.test(html)

/** The events of a stream of bytes, however the bytes are cut into pieces. */
export async function readEvents(body: ReadableStream<Uint8Array>, onEvent: (name: string, data: unknown) => void): Promise<void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    rest += done ? decoder.decode() : decoder.decode(value, { stream: true })
    const events = rest.split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      const name = /^event: (.*)$/m.exec(event)?.[1]
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (name !== undefined && data !== undefined) onEvent(name, JSON.parse(data))
    }
    if (done) return
  }
}
