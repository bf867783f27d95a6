import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy to a server that can be cut, whatever state of the network the browser reports. */
export async function cable(to: string): Promise<{ url: string; cut: () => Promise<void> }> {
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
      // The other end went away: so does this one.
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
