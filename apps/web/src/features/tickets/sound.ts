let context: AudioContext | undefined

/** A short two-note bell at volume/100; browsers that want a gesture first stay silent until there was one. */
export function ring(volume: number) {
  if (volume <= 0) return
  context ??= new AudioContext()
  if (context.state === 'suspended') void context.resume()
  note(context, 880, 0, volume / 100)
  note(context, 1_174.7, 0.09, volume / 100)
}

function note(audio: AudioContext, pitch: number, after: number, loudness: number) {
  const tone = audio.createOscillator()
  const gain = audio.createGain()
  const at = audio.currentTime + after
  tone.frequency.value = pitch
  gain.gain.setValueAtTime(loudness * 0.25, at)
  gain.gain.exponentialRampToValueAtTime(0.001, at + 0.35)
  tone.connect(gain).connect(audio.destination)
  tone.start(at)
  tone.stop(at + 0.36)
}
