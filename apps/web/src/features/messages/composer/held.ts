import type { Message } from '@balcao/contract/messages.ts'
import { forgetBytes } from '../../../platform/bytes.ts'
import { ofPerson } from '../../../platform/person.ts'
import { type Store, store, useStore, writeKey } from '../../../platform/store.ts'
import type { Attachment } from '../../media/upload.ts'
import type { Recording } from './voice.ts'

export interface HeldRecording {
  /** Null while the microphone is being opened. */
  recording: Recording | null
  state: 'opening' | 'recording' | 'paused' | 'sending'
  seconds: number
  bars: { at: number; loud: number }[]
}

/** State of the composer of a ticket, besides the text of its draft. */
interface Held {
  files: Attachment[]
  quoted: Message | null
  recording: HeldRecording | null
}

const NOTHING: Held = { files: [], quoted: null, recording: null }

/** Kept with its ticket while another is shown; lost on reload. */
const all: Store<ReadonlyMap<number, Held>> = store(new Map())

ofPerson(() => {
  for (const { files, recording } of all.read().values()) {
    for (const { file } of files) forgetBytes(file)
    recording?.recording?.discard()
  }
  all.write(new Map())
})

export const held = (ticketId: number): Held => all.read().get(ticketId) ?? NOTHING

export const useHeld = (ticketId: number): Held => useStore(all, now => now.get(ticketId) ?? NOTHING)

export function hold(ticketId: number, part: Partial<Held>): void {
  const now = { ...held(ticketId), ...part }
  const isNothing = now.files.length === 0 && !now.quoted && !now.recording
  writeKey(all, ticketId, isNothing ? undefined : now)
}

/** Here and not in recording.ts: the encoder is loaded with the recorder, not with every conversation. */
export const beginRecording = (ticketId: number) =>
  hold(ticketId, { recording: { recording: null, state: 'opening', seconds: 0, bars: [] } })
