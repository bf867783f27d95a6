const widthPx = 1280

/** One frame of a video as a JPEG: a second in, or a tenth of a short one. `null` when this browser can't play it. */
export async function drawPoster(file: Blob): Promise<Blob | null> {
  const url = URL.createObjectURL(file)
  try {
    const video = document.createElement('video')
    video.muted = true
    video.playsInline = true
    video.preload = 'auto'
    video.src = url
    await heard(video, 'loadeddata')
    video.currentTime = Math.min(1, video.duration / 10 || 0)
    await heard(video, 'seeked')
    return await drawn(video, video.videoWidth, video.videoHeight)
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** An image that this browser reads, as a JPEG; rejects when it can't. */
export async function toJpeg(file: File): Promise<File> {
  const image = await createImageBitmap(file)
  const canvas = new OffscreenCanvas(image.width, image.height)
  canvas.getContext('2d')?.drawImage(image, 0, 0)
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.92 })
  return new File([blob], file.name.replace(/\.[^.]+$/, '.jpg'), { type: 'image/jpeg' })
}

function drawn(source: CanvasImageSource, width: number, height: number): Promise<Blob | null> {
  const scale = Math.min(1, widthPx / width)
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  canvas.getContext('2d')?.drawImage(source, 0, 0, canvas.width, canvas.height)
  return new Promise((done) => canvas.toBlob(done, 'image/jpeg', 0.85))
}

const heard = (video: HTMLVideoElement, event: 'loadeddata' | 'seeked') =>
  new Promise<void>((done, fail) => {
    video.addEventListener(event, () => done(), { once: true })
    video.addEventListener('error', () => fail(new Error('this video cannot be played here')), { once: true })
  })
