import type { FileKind } from '@balcao/contract/media.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { drafts } from '../../../platform/drafts.ts'
import { newId } from '../../../platform/ids.ts'
import { notify } from '../../../platform/notify.tsx'
import { ofPerson } from '../../../platform/person.ts'
import { threadNow } from '../messages.api.ts'
import { useMessageText } from '../messages.text.ts'
import { findWaiting, onArrived, type Waiting } from '../messages.waiting.ts'
import { discardMessage } from '../sending/send.ts'
import { held, hold } from './held.ts'
import { quote } from './kept-drafts.ts'

/** What was taken back: a message whose answer was lost may be at the server nevertheless. */
const taken = new Map<string, { ticketId: number; text: string; file: File | null; isNote: boolean }>()
ofPerson(() => taken.clear())

/** Whether the composer can show what waits. */
export const mayTakeBack = (message: Message): boolean => {
  const { words, file } = findWaiting(message.id) ?? {}
  if (words === undefined || words.locationId || words.contactIds) return false
  // files of a note are in no store
  return !words.isPrivate || !file
}

/** The text of the face of the composer from which it came: what was noted is never an answer. */
const faceOf = (ticketId: number, isNote: boolean) =>
  isNote
    ? { read: () => drafts.note(ticketId), keep: (text: string) => drafts.keepNote(ticketId, text) }
    : { read: () => drafts.read(ticketId), keep: (text: string) => drafts.keep(ticketId, text) }

/** What waits is in the composer of its ticket again, before what is written there. */
export function takeBack(message: Message): void {
  const waiting = findWaiting(message.id)
  if (!waiting || !mayTakeBack(message)) return
  const { ticketId, words, file } = waiting
  const text = words.body ?? ''
  discardMessage(message)
  const isNote = words.isPrivate === true
  const face = faceOf(ticketId, isNote)
  if (text) {
    const written = face.read()
    face.keep(written ? `${text}\n${written}` : text)
  }
  if (isNote) drafts.turn(ticketId, true)
  if (file) takeFile(waiting, file)
  const quoted = threadNow(ticketId)?.messages.find(({ id }) => id === words.quotedMsg)
  if (quoted && !held(ticketId).quoted) quote(ticketId, quoted)
  taken.set(message.id, { ticketId, text, file, isNote })
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>('[data-pane="conversation"] textarea')?.focus(),
  )
}

function takeFile({ ticketId, message, words }: Waiting, file: File) {
  const { width = null, height = null, seconds = null } = message.media ?? {}
  const { files, recording } = held(ticketId)
  if (words.isVoice && !recording) {
    const before = { made: file, seconds: seconds ?? 0 }
    return hold(ticketId, {
      recording: { recording: null, state: 'paused', seconds: before.seconds, bars: [], before },
    })
  }
  const kind = (words.isSticker ? 'image' : message.mediaType) as FileKind
  const asSticker = words.isSticker ?? false
  hold(ticketId, { files: [{ key: newId(), file, kind, width, height, seconds, asSticker }, ...files] })
}

function dropFile(ticketId: number, file: File) {
  const { files, recording } = held(ticketId)
  hold(ticketId, {
    files: files.filter(one => one.file !== file),
    recording: recording?.before?.made === file && !recording.recording ? null : recording,
  })
}

/** A message that was taken back had reached the server: it is not written twice. */
onArrived(id => {
  const back = taken.get(id)
  if (!back) return
  taken.delete(id)
  const { ticketId, text, file, isNote } = back
  const face = faceOf(ticketId, isNote)
  const written = face.read()
  if (text && written === text) face.keep('')
  // what was written since, behind it, stays
  else if (text && written.startsWith(`${text}\n`)) face.keep(written.slice(text.length + 1))
  if (file) dropFile(ticketId, file)
  notify.info(useMessageText.read('hadArrived'), { seconds: 'stays', id: `taken ${id}` })
})
