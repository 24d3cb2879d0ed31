import { parentPort } from 'node:worker_threads'
import { createRecoder } from './recoder.ts'

// Converts one recording to a voice note: each chunk is answered with null; null ends it and is answered with the note.

const recoder = await createRecoder()
parentPort!.on('message', (piece: Uint8Array | null) => {
  if (!piece) return parentPort!.postMessage({ voiceNote: recoder.end() })
  recoder.add(piece)
  parentPort!.postMessage(null)
})
