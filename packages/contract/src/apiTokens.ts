import { z } from 'zod'
import { id, idOrNone, listChannel, page, pageQuery, route, text } from './kit.ts'

/**
 * Status of a ticket after its message; `destroy` deletes the ticket that the call created once the message was sent.
 */
export const TicketSetStatus = z.enum(['open', 'pending', 'closed', 'destroy'])
export type TicketSetStatus = z.infer<typeof TicketSetStatus>

/** `create` makes a new ticket each time; `update` goes on with the open or pending one. */
export const TicketCreateOrUpdate = z.enum(['create', 'update'])
export type TicketCreateOrUpdate = z.infer<typeof TicketCreateOrUpdate>

const Named = z.object({ id: z.int(), name: z.string() })

/** What a program of the company sends messages with. */
export const ApiSendMessageToken = z.object({
  /**
   * The token itself (OP-96) in the reply that creates or renews it and where the request names it; otherwise a handle
   * that identifies it for showing, changing, renewing and revoking, and cannot be used to send.
   */
  id: z.string(),
  /** The last characters of the token, which distinguish tokens; empty for tokens created before they were stored. */
  ending: z.string(),
  name: z.string(),
  ticketSetStatus: TicketSetStatus,
  ticketCreateOrUpdate: TicketCreateOrUpdate,
  /** Owner of the token, to whom its tickets are assigned; null when the user was deleted: then it cannot send. */
  userId: z.int().nullable(),
  user: Named.nullable(),
  queueId: z.int().nullable(),
  queue: Named.extend({ color: z.string() }).nullable(),
  /** Null when the connection was removed: calls are refused until another is chosen. */
  whatsappId: z.int().nullable(),
  whatsapp: Named.nullable(),
  companyId: z.int(),
  createdAt: z.iso.datetime(),
  /** It is refused from then on; null for never. */
  expiresAt: z.iso.datetime().nullable(),
  /** To the minute; null while it was never used. */
  usedAt: z.iso.datetime().nullable(),
})
export type ApiSendMessageToken = z.infer<typeof ApiSendMessageToken>

export const ApiTokenInput = z.object({
  name: text(2, 50),
  ticketSetStatus: TicketSetStatus.default('closed'),
  ticketCreateOrUpdate: TicketCreateOrUpdate.default('update'),
  /** Default: the creator. Only admins may name another user. */
  userId: idOrNone.optional(),
  queueId: idOrNone.optional(),
  whatsappId: id,
  /** In the future; null or empty means never; omitted in a change it is kept. */
  expiresAt: z
    .union([z.iso.datetime({ offset: true }), z.literal('').transform(() => null)])
    .nullable()
    .optional(),
})
export type ApiTokenInput = z.output<typeof ApiTokenInput>

/** Maximum of tokens of a company. */
export const MAX_TOKENS = 50

const tokenId = z.object({ tokenId: z.guid() })

export const apiTokens = {
  list: route('GET', '/ApiSendMessageToken', {
    needs: 'session',
    summary: 'API tokens of the company by name, a page at a time; none tells how it is used.',
    query: pageQuery,
    reply: page('apiSendMessageTokens', ApiSendMessageToken),
  }),
  show: route('GET', '/ApiSendMessageToken/:tokenId', {
    needs: 'session',
    summary: 'One API token.',
    params: tokenId,
    reply: ApiSendMessageToken,
  }),
  create: route('POST', '/ApiSendMessageToken', {
    needs: 'session',
    summary: `Makes an API token of the caller’s; its id is answered this once. ERR_TOO_MANY_TOKENS where the company has ${MAX_TOKENS}.`,
    body: ApiTokenInput,
    reply: ApiSendMessageToken,
  }),
  change: route('PUT', '/ApiSendMessageToken/:tokenId', {
    edits: '/ApiSendMessageToken/:tokenId',
    needs: 'session',
    summary: 'Changes what is done with the messages of a token; for admins and its owner.',
    params: tokenId,
    body: ApiTokenInput,
    reply: ApiSendMessageToken,
  }),
  renew: route('POST', '/ApiSendMessageToken/:tokenId/renew', {
    needs: 'session',
    summary:
      'Gives a token a new id, answered this once: the old one is refused from then on. For admins and its owner.',
    params: tokenId,
    reply: ApiSendMessageToken,
  }),
  remove: route('DELETE', '/ApiSendMessageToken/:tokenId', {
    needs: 'session',
    summary: 'Revokes a token; for admins and its owner. What is in the outbox leaves.',
    params: tokenId,
  }),
}

/** A token changed; carries only its name: clients fetch the list again. */
export const apiTokenChannel = listChannel('apiSendMessageToken', z.object({ name: z.string() }))
