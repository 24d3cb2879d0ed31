import { useEffect, useState } from 'react'

const BARS = 36
/** So loud that a bar is full, next to the loudest of its recording. */
const LEAST = 0.02

const known = new WeakMap<Blob, number[]>()

/**
 * Levels of a recording from its beginning to its end, from 0 to 1; null until decoded, or if it cannot be.
 */
export function useWave(file: Blob | undefined): number[] | null {
  const [wave, setWave] = useState(file ? (known.get(file) ?? null) : null)
  useEffect(() => {
    if (!file || wave) return
    let isGone = false
    void waveOf(file).then(
      made => {
        known.set(file, made)
        if (!isGone) setWave(made)
      },
      // a recording that this browser cannot decode is shown without a waveform
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [file, wave])
  return wave
}

async function waveOf(file: Blob): Promise<number[]> {
  const sound = await new OfflineAudioContext(1, 1, 16_000).decodeAudioData(await file.arrayBuffer())
  const samples = sound.getChannelData(0)
  const step = Math.max(1, Math.floor(samples.length / BARS))
  const bars = Array.from({ length: BARS }, (_, at) => loudest(samples, at * step, (at + 1) * step))
  const most = Math.max(LEAST, ...bars)
  return bars.map(bar => bar / most)
}

function loudest(samples: Float32Array, from: number, to: number) {
  let most = 0
  for (let at = from; at < to && at < samples.length; at++) most = Math.max(most, Math.abs(samples[at]!))
  return most
}
