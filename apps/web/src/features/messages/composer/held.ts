import type { Message } from '@balcao/contract/messages.ts'
import { begun } from '../../../platform/begun.ts'
import { forgetBytes } from '../../../platform/bytes.ts'
import { notices } from '../../../platform/notices.ts'
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
  /** Recorded until its microphone was closed, as by a reload; what follows is joined to it. */
  before: { made: Blob; seconds: number } | null
}

/** State of the composer of a ticket, besides the text of its draft. */
export interface Held {
  files: Attachment[]
  quoted: Message | null
  recording: HeldRecording | null
}

const NOTHING: Held = { files: [], quoted: null, recording: null }

/** Kept with its ticket while another is shown, and in the browser: see stored-held.ts. */
export const allHeld: Store<ReadonlyMap<number, Held>> = store(new Map())
/** No user is logged in, or another one: what was held is not dropped in the browser. */
export const FORGOTTEN: ReadonlyMap<number, Held> = new Map()
const all = allHeld

ofPerson(() => {
  for (const { files, recording } of all.read().values()) {
    for (const { file } of files) forgetBytes(file)
    recording?.recording?.discard()
  }
  all.write(FORGOTTEN)
})

export const held = (ticketId: number): Held => all.read().get(ticketId) ?? NOTHING

export const useHeld = (ticketId: number): Held => useStore(all, now => now.get(ticketId) ?? NOTHING)

export function hold(ticketId: number, part: Partial<Held>): void {
  const now = { ...held(ticketId), ...part }
  const isNothing = now.files.length === 0 && !now.quoted && !now.recording
  writeKey(all, ticketId, isNothing ? undefined : now)
  mark(ticketId, now)
}

function mark(ticketId: number, { files, quoted, recording }: Held) {
  const is = { files: files.length, isRecorded: recording !== null, isAnswer: quoted !== null }
  const was = begun.read().get(ticketId) ?? { files: 0, isRecorded: false, isAnswer: false }
  if (is.files === was.files && is.isRecorded === was.isRecorded && is.isAnswer === was.isAnswer) return
  writeKey(begun, ticketId, is.files > 0 || is.isRecorded || is.isAnswer ? is : undefined)
}

/** The notice that a recording was discarded, with its way back. */
export const discardedNotice = (ticketId: number) => `recording ${ticketId}`

/** Here and not in recording.ts: the encoder is loaded with the recorder, not with every conversation. */
export function beginRecording(ticketId: number) {
  notices.hide(discardedNotice(ticketId))
  hold(ticketId, { recording: { recording: null, state: 'opening', seconds: 0, bars: [], before: null } })
}
