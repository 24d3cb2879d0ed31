import { MAX_BODY } from '@balcao/contract/messages.input.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { drafts } from '../../../platform/drafts.ts'
import type { Attachment } from '../../media/upload.ts'
import { ticketInLists } from '../../tickets/tickets.api.ts'
import { sendFiles, sendMessage } from '../sending/send.ts'
import { mentionedIn } from './composer.api.ts'
import { forgetCaret } from './early-keys.ts'
import { held } from './held.ts'
import { draftLeaves, quote } from './kept-drafts.ts'
import { isWritable } from './writable.ts'

/** Sends the draft of a ticket with these files and what it answers to; false where there is nothing to send. */
export function sendWritten(ticket: Ticket, viewer: Viewer, files: Attachment[]): boolean {
  const text = drafts.read(ticket.id).trim()
  if (text === '' && files.length === 0) return false
  const { quoted } = held(ticket.id)
  // dropped before the message is sent, so that it cannot come back after it
  const draftAt = draftLeaves(ticket.id)
  drafts.drop(ticket.id)
  forgetCaret(ticket.id)
  if (files.length > 0) sendFiles(ticket, viewer, files, { body: text, draftAt }, quoted)
  else sendMessage(ticket, viewer, { body: text, draftAt, mentions: mentionedIn(ticket.id, text) }, quoted)
  quote(ticket.id, null)
  return true
}

/**
 * Enter before the conversation is drawn: the text is sent where its composer would send just that. Otherwise it stays as the
 * draft: files are attached, Enter would choose a suggestion, a colleague attends, or the ticket is not known or not open.
 */
export function sendUndrawn(ticketId: number, viewer: Viewer): void {
  if (drafts.writesNotes(ticketId)) return
  const ticket = ticketInLists(ticketId)
  if (!ticket || ticket.userId !== viewer.id || !isWritable(ticket, Date.now())) return
  const { files, recording } = held(ticketId)
  const text = drafts.read(ticketId)
  if (files.length > 0 || recording || /^[/;]/.test(text) || text.trim().length > MAX_BODY) return
  sendWritten(ticket, viewer, [])
}
