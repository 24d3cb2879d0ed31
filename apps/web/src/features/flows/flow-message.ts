import type { Message } from '@balcao/contract/messages.ts'
import { clock } from '../../platform/time.ts'
import type { DraftAction } from './drafts.ts'

const noContact = { id: 0, name: '' }

/** An action as the message that a customer would receive. */
export const messageOf = ({ key, mediaType, mediaUrl, file }: DraftAction, body: string): Message => ({
  id: key,
  ticketId: 0,
  contactId: 0,
  body,
  fromMe: true,
  read: true,
  ack: 1,
  failReason: '',
  isDeleted: false,
  mediaType,
  mediaUrl,
  media: file,
  dataJson: null,
  quotedMsg: null,
  reactions: [],
  isForwarded: false,
  isPrivate: false,
  referral: null,
  editedAt: null,
  source: 'bot',
  user: null,
  contact: noContact,
  author: null,
  ticket: { id: 0, protocol: '', queueId: null },
  version: 1,
  position: 0,
  dueAt: null,
  createdAt: clock().toISOString(),
})
