import { parentPort } from 'node:worker_threads'
import { createRecoder } from './voice-recoder.ts'

// Turns one recording into a voice message: bytes come in, each answered with null; null ends it and brings the Voice.

const recoder = await createRecoder()
parentPort!.on('message', (piece: Uint8Array | null) => {
  if (!piece) return parentPort!.postMessage({ voice: recoder.end() })
  recoder.add(piece)
  parentPort!.postMessage(null)
})
