import { type Packed, pack, unpack } from './pack'

/** Bytes to be read, or a value to be written; the answer is the other of the two. */
export type Job = { id: number; read: ArrayBuffer } | { id: number; write: Packed }
export type Done = { id: number; read: Packed } | { id: number; written: ArrayBuffer } | { id: number; failed: string }

const answer = (done: Done, transfer: Transferable[] = []): void => postMessage(done, { transfer })

addEventListener('message', ({ data: job }: MessageEvent<Job>) => {
  try {
    if ('read' in job) {
      const packed = pack(JSON.parse(new TextDecoder().decode(job.read)))
      answer(
        { id: job.id, read: packed },
        packed.lines.map((line) => line.buffer),
      )
    } else {
      const { buffer } = new TextEncoder().encode(JSON.stringify(unpack(job.write)))
      answer({ id: job.id, written: buffer }, [buffer])
    }
  } catch (error) {
    answer({ id: job.id, failed: String(error) })
  }
})
