import { ProblemError } from '@/api/problem'

/** The longest side of a photo that is sent, pixels. */
export const LONGEST_PX = 2560
const QUALITY = 0.85

/** The size of a picture whose longest side is at most `LONGEST_PX`; a smaller picture keeps its own. */
export function fitting(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, LONGEST_PX / Math.max(width, height, 1))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/**
 * Draws a photo anew as JPEG: smaller, and without the place and the time that the file contains, which are in the entry alone. Rejects
 * with a `ProblemError` where the browser cannot read it.
 */
export async function compress(photo: Blob): Promise<Blob> {
  const picture = await createImageBitmap(photo, { imageOrientation: 'from-image' }).catch(() => {
    throw new ProblemError(422, { code: 'media/broken' })
  })
  const canvas = document.createElement('canvas')
  Object.assign(canvas, fitting(picture.width, picture.height))
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  const made = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY))
  if (made === null) throw new ProblemError(422, { code: 'media/broken' })
  return made
}
