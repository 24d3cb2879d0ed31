import type { Silence } from '../../../../driver.ts'
import type { Field } from './kind.ts'

/** Why a field of a message is no row: what it is about has one, or nothing in it is for people. Each is counted. */
export const SILENCES: Partial<Record<Field, Silence>> = {
  protocolMessage: 'about another message',
  reactionMessage: 'about another message',
  encReactionMessage: 'about another message',
  encCommentMessage: 'about another message',
  encEventResponseMessage: 'about another message',
  pollUpdateMessage: 'about another message',
  keepInChatMessage: 'about another message',
  secretEncryptedMessage: 'about another message',
  albumMessage: 'frame of an album',
  messageHistoryBundle: 'between devices',
  messageHistoryNotice: 'between devices',
  stickerSyncRmrMessage: 'between devices',
  deviceSentMessage: 'between devices',
  callLogMesssage: 'reported by its call',
}

/** What may accompany the content. */
export const BESIDE = new Set<string>([
  'messageContextInfo',
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
])
