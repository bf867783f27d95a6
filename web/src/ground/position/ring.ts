let sound: AudioContext | undefined

/** Prepares the sound: browsers allow it only after a touch. */
export function prepareSound(): void {
  sound ??= new AudioContext()
  void sound.resume()
}

/** Two tones and three vibrations. */
export function ring(): void {
  navigator.vibrate?.([400, 200, 400, 200, 400])
  if (sound === undefined) return
  // A telephone call, or a page that was hidden, suspends it.
  void sound.resume()
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
}
