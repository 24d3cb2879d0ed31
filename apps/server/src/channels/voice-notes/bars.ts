const BARS = 64
const LOUDEST = 100

/** A waveform as phones draw it, of how loud each of many equally long parts is. */
export function bars(loudness: number[]): Uint8Array {
  const most = Math.max(1, ...bucketsOf(loudness))
  return Uint8Array.from(bucketsOf(loudness), value => Math.round((value / most) * LOUDEST))
}

const bucketsOf = (loudness: number[]) =>
  Array.from({ length: BARS }, (_, bar) => {
    const from = Math.floor((bar * loudness.length) / BARS)
    const part = loudness.slice(from, Math.max(from + 1, Math.floor(((bar + 1) * loudness.length) / BARS)))
    return part.reduce((sum, value) => sum + value, 0) / part.length
  })
