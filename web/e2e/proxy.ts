import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy to a server; `cut` closes its connections, while the browser still reports a network. */
export async function startProxy(to: string): Promise<{ url: string; cut: () => Promise<void> }> {
  const { hostname, port: target } = new URL(to)
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(target), hostname)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket)
      socket.pipe(other)
      socket.on('close', () => open.delete(socket))
      // Closes the other side as well.
      socket.on('error', () => other.destroy())
    }
  })
  await new Promise<void>((ready) => server.listen(0, 'localhost', ready))
  const { port } = server.address() as AddressInfo
  const cut = () => {
    open.forEach((socket) => socket.destroy())
    return new Promise<void>((done) => server.close(() => done()))
  }
  return { url: `http://localhost:${port}`, cut }
}
