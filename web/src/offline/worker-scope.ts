/** The used part of a service worker's own scope; its types and those of a page cannot be in one program. */
interface Waiting extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface Fetching extends Waiting {
  request: Request
  respondWith(answer: Promise<Response>): void
}
interface Messaging<Message> extends Waiting {
  data: Message
  ports: readonly MessagePort[]
}
interface Scope<Message> {
  addEventListener(kind: 'install' | 'activate', listener: (event: Waiting) => void): void
  addEventListener(kind: 'fetch', listener: (event: Fetching) => void): void
  addEventListener(kind: 'message', listener: (event: Messaging<Message>) => void): void
  clients: { claim(): Promise<void> }
  skipWaiting(): Promise<void>
}

/** The scope of the service worker that imports this; `Message` is what its pages send. */
export const workerScope = <Message>(): Scope<Message> => self as unknown as Scope<Message>
