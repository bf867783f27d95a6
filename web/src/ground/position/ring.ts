let sound: AudioContext | undefined
let resting: ReturnType<typeof setTimeout> | undefined

/** How long the two tones last, with some time for a slow device, milliseconds. */
const TONES_MS = 2000

/** Prepares the sound: browsers allow it only after a touch. */
export function prepareSound(): void {
  sound ??= new AudioContext()
  void sound.resume().then(rest)
}

/** A sound that is prepared and silent wakes the device hundreds of times each second. */
function rest(): void {
  clearTimeout(resting)
  resting = setTimeout(() => void sound?.suspend(), TONES_MS)
}

/** Two tones and three vibrations. */
export function ring(): void {
  navigator.vibrate?.([400, 200, 400, 200, 400])
  void play()
}

async function play(): Promise<void> {
  if (sound === undefined) return
  clearTimeout(resting)
  await sound.resume()
  const begin = sound.currentTime
  for (const [delay, hertz] of [
    [0, 880],
    [0.35, 660],
  ] as const) {
    const tone = sound.createOscillator()
    const volume = sound.createGain()
    tone.frequency.value = hertz
    volume.gain.setValueAtTime(0.5, begin + delay)
    volume.gain.exponentialRampToValueAtTime(0.001, begin + delay + 0.3)
    tone.connect(volume).connect(sound.destination)
    tone.start(begin + delay)
    tone.stop(begin + delay + 0.3)
  }
  rest()
}
