import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A site of another owner that shows the widget. Its style sheet would break elements that it reaches. It has two host names, so two origins. */
export async function startHostSite(): Promise<{
  allowed: string
  other: string
  show: (code: string) => void
  stop: () => Promise<void>
}> {
  let code = ''
  const page =
    () => `<!doctype html><html lang="fr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>La mairie</title>
    <style>body { font: italic 30px fantasy; text-transform: uppercase; margin: 0 } ul, p, h2, figure { display: none !important } a, button { color: red !important; font-size: 60px !important }</style></head>
    <body><main><h1>La mairie</h1>${code}</main></body></html>`
  const server = createServer((_, reply) => reply.setHeader('content-type', 'text/html; charset=utf-8').end(page()))
  await new Promise<void>((ready) => server.listen(0, ready))
  const { port } = server.address() as AddressInfo
  return {
    allowed: `http://localhost:${port}`,
    other: `http://127.0.0.1:${port}`,
    show: (shown) => {
      code = shown
    },
    stop: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
