import { z } from 'zod'
import { channel, id, idList, instant, pageNumber, route, text } from './kit.ts'
import { Media } from './media.ts'
import { chosenId } from './messages.input.ts'

/** Maximum of a text between colleagues. */
export const MAX_CHAT_BODY = 10_000
/** Maximum of members of a group. */
export const MAX_CHAT_MEMBERS = 200
/** Maximum of rooms that one user makes. */
export const MAX_CHAT_ROOMS = 300

export const ChatMedia = Media.pick({
  name: true,
  type: true,
  size: true,
  seconds: true,
  width: true,
  height: true,
}).extend({
  /** Where the file is fetched with the bearer token, by members of the room. */
  url: z.string(),
  kind: z.enum(['image', 'audio', 'video', 'document']),
})
export type ChatMedia = z.infer<typeof ChatMedia>

export const ChatMessage = z.object({
  id: z.uuid(),
  roomId: z.int(),
  /** As the author was named then; of a deleted user the id names no user. */
  from: z.object({ id: z.int(), name: z.string() }),
  /** Empty where it was deleted. */
  body: z.string(),
  medias: z.array(ChatMedia),
  /** A ticket that was shared: what a reader may see of it is fetched like other tickets. */
  ticketId: z.int().nullable(),
  /** Its place in the room, from 1. */
  position: z.int(),
  isDeleted: z.boolean(),
  editedAt: instant.nullable(),
  createdAt: instant,
})
export type ChatMessage = z.infer<typeof ChatMessage>

/** A room as one of its members sees it. */
export const ChatRoom = z.object({
  id: z.int(),
  /** Of a group that has one; of two people, the other one's name. */
  name: z.string(),
  isGroup: z.boolean(),
  /** Who made a group, or who is longest in it since. */
  ownerId: z.int().nullable(),
  userIds: z.array(z.int()),
  members: z.array(z.object({ id: z.int(), name: z.string() })),
  unread: z.int(),
  lastMessage: ChatMessage.nullable(),
  createdAt: instant,
})
export type ChatRoom = z.infer<typeof ChatRoom>

const roomId = z.object({ roomId: id })
const messageId = z.object({ messageId: z.uuid() })
const chatBody = z.string().max(MAX_CHAT_BODY, 'Too Long!')

export const ChatRoomInput = z.object({
  /** Of a group. Without it and with one other user it is the room of the two, which is there once. */
  name: text(1, 60).optional(),
  userIds: idList.pipe(z.array(z.int()).min(1).max(MAX_CHAT_MEMBERS)),
})

export const ChatInput = z.object({
  /** Chosen by the sender's screen: the same id sent twice is one message. */
  id: chosenId.optional(),
  body: chatBody.default(''),
  /** A ticket that the sender may read. */
  ticketId: id.optional(),
})

export const chat = {
  rooms: route('GET', '/chat/rooms', {
    needs: 'chat',
    summary: 'The rooms in which the caller talks with colleagues, newest message first.',
    query: z.object({ pageNumber: pageNumber.optional() }),
    /** `unread`: of all of the caller's rooms. */
    reply: z.object({ rooms: z.array(ChatRoom), unread: z.int(), hasMore: z.boolean() }),
  }),
  open: route('POST', '/chat/rooms', {
    needs: 'chat',
    summary:
      'Opens the room with one colleague, which is there once, or makes a group. Refuses with ERR_NO_USER_FOUND.',
    body: ChatRoomInput,
    reply: ChatRoom,
  }),
  change: route('PUT', '/chat/rooms/:roomId', {
    needs: 'chat',
    summary: 'Names a group, or sets its members: by its owner, or an admin who is in it.',
    params: roomId,
    body: ChatRoomInput.partial(),
    reply: ChatRoom,
  }),
  leave: route('DELETE', '/chat/rooms/:roomId', {
    needs: 'chat',
    summary: 'Leaves a group; the last one takes it away with its messages.',
    params: roomId,
  }),
  messages: route('GET', '/chat/rooms/:roomId/messages', {
    needs: 'chat',
    summary:
      'Messages of a room, newest page first, each page oldest first; or those before a position. 404 to who is not in the room.',
    params: roomId,
    query: z.object({
      pageNumber: pageNumber.optional(),
      before: z.coerce.number().pipe(z.int().positive()).optional(),
    }),
    reply: z.object({ messages: z.array(ChatMessage), hasMore: z.boolean() }),
  }),
  send: route('POST', '/chat/rooms/:roomId/messages', {
    needs: 'chat',
    summary:
      'Writes to a room, also with files (multipart, `medias`) or a ticket. 404 to who is not in the room.',
    params: roomId,
    body: ChatInput,
    files: 'also',
    reply: ChatMessage,
    limit: { counts: 'calls', caller: 240 },
  }),
  read: route('PUT', '/chat/rooms/:roomId/read', {
    needs: 'chat',
    summary: 'The caller has read a room up to a position.',
    params: roomId,
    body: z.object({ position: z.int().min(0).max(2_147_483_647) }),
    reply: z.object({ unread: z.int() }),
  }),
  edit: route('PUT', '/chat/messages/:messageId', {
    needs: 'chat',
    summary: 'Changes the text of an own message.',
    params: messageId,
    body: z.object({ body: chatBody.trim().min(1, 'Required') }),
    reply: ChatMessage,
  }),
  remove: route('DELETE', '/chat/messages/:messageId', {
    needs: 'chat',
    summary: 'Takes back an own message: its text and files are deleted, and its place stays.',
    params: messageId,
    reply: ChatMessage,
  }),
  search: route('GET', '/chat/search', {
    needs: 'chat',
    summary: 'Messages of the caller’s rooms that contain the words, newest first.',
    query: z.object({
      searchParam: z.string().trim().min(2).max(100),
      pageNumber: pageNumber.optional(),
    }),
    reply: z.object({ messages: z.array(ChatMessage), hasMore: z.boolean() }),
  }),
}

/** To the members of the room. */
export const chatMessageChannel = channel(
  'chatMessage-{companyId}',
  ChatMessage.extend({
    action: z.enum(['create', 'update']),
    message: ChatMessage,
  }),
)

/** A room is another one for this user: new, named, with other members, read elsewhere (`unread`), or gone. */
export const chatRoomChannel = channel(
  'chatRoom-{companyId}',
  z.object({ roomId: z.int(), unread: z.int().optional(), isGone: z.boolean().optional() }),
)
