/** As wide as a photo is sent: the server keeps no larger one, and a phone with a weak signal sends less. */
const WIDEST = 1920

/** Shrinks a photo; returns it unchanged when the browser cannot draw it. */
export async function shrunk(photo: File): Promise<Blob> {
  try {
    const picture = await createImageBitmap(photo, { imageOrientation: 'from-image' })
    const scale = Math.min(1, WIDEST / Math.max(picture.width, picture.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(picture.width * scale)
    canvas.height = Math.round(picture.height * scale)
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
    const made = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85))
    return made !== null && made.size < photo.size ? made : photo
  } catch {
    return photo
  }
}
