import { parentPort, workerData } from 'node:worker_threads'
import { createRecoder } from './recoder.ts'
import { createWaveformReader } from './waveform.ts'

// Converts one recording to a voice note, or draws one that is one (`draw`): each chunk is answered with null; null ends it
// and is answered with the result.

const reader = workerData === 'draw' ? await createWaveformReader() : await createRecoder()
parentPort!.on('message', async (piece: Uint8Array | null) => {
  if (!piece) return parentPort!.postMessage({ result: await reader.end() })
  await reader.add(piece)
  parentPort!.postMessage(null)
})
