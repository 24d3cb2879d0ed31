/** Globals of an audio worklet. */
declare class AudioWorkletProcessor {
  readonly port: MessagePort
}
declare function registerProcessor(name: string, make: new () => AudioWorkletProcessor): void

/** Samples per posted chunk: some ten chunks a second, so that a busy screen keeps up. */
const PIECE = 4096

/** Posts the microphone's samples in chunks. */
class Tap extends AudioWorkletProcessor {
  piece = new Float32Array(PIECE)
  filled = 0

  process([input]: Float32Array[][]): boolean {
    for (const sample of input?.[0] ?? []) {
      this.piece[this.filled++] = sample
      if (this.filled < PIECE) continue
      this.port.postMessage(this.piece)
      this.piece = new Float32Array(PIECE)
      this.filled = 0
    }
    return true
  }
}

registerProcessor('tap', Tap)
