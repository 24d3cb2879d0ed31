import { z } from 'zod'
import { id, idOrNone, listChannel, page, pageQuery, route, text } from './kit.ts'

/** How a ticket stands after its message; `destroy` deletes the one that the call made once the message has left. */
export const TicketSetStatus = z.enum(['open', 'pending', 'closed', 'destroy'])
export type TicketSetStatus = z.infer<typeof TicketSetStatus>

/** `create` makes a new ticket each time; `update` goes on with the open or pending one. */
export const TicketCreateOrUpdate = z.enum(['create', 'update'])
export type TicketCreateOrUpdate = z.infer<typeof TicketCreateOrUpdate>

const Named = z.object({ id: z.int(), name: z.string() })

/** What a program of the company sends messages with. */
export const ApiSendMessageToken = z.object({
  /** The token itself (OP-96). */
  id: z.string(),
  name: z.string(),
  ticketSetStatus: TicketSetStatus,
  ticketCreateOrUpdate: TicketCreateOrUpdate,
  /** Whose the token is, who is given its tickets; null when that user is gone. */
  userId: z.int().nullable(),
  user: Named.nullable(),
  queueId: z.int().nullable(),
  queue: Named.extend({ color: z.string() }).nullable(),
  /** Null when the connection was removed: calls are refused until another is chosen. */
  whatsappId: z.int().nullable(),
  whatsapp: Named.nullable(),
  companyId: z.int(),
  createdAt: z.iso.datetime(),
  /** To the minute; null while it was never used. */
  usedAt: z.iso.datetime().nullable(),
})
export type ApiSendMessageToken = z.infer<typeof ApiSendMessageToken>

export const ApiTokenInput = z.object({
  name: text(2, 50),
  ticketSetStatus: TicketSetStatus.default('closed'),
  ticketCreateOrUpdate: TicketCreateOrUpdate.default('update'),
  /** Left out: who makes it. Another one only admins may name. */
  userId: idOrNone.optional(),
  queueId: idOrNone.optional(),
  whatsappId: id,
})
export type ApiTokenInput = z.output<typeof ApiTokenInput>

const tokenId = z.object({ tokenId: z.guid() })

export const apiTokens = {
  list: route('GET', '/ApiSendMessageToken', {
    needs: 'session',
    says: 'API tokens of the company by name, a page at a time.',
    query: pageQuery,
    reply: page('apiSendMessageTokens', ApiSendMessageToken),
  }),
  show: route('GET', '/ApiSendMessageToken/:tokenId', {
    needs: 'session',
    says: 'One API token.',
    params: tokenId,
    reply: ApiSendMessageToken,
  }),
  create: route('POST', '/ApiSendMessageToken', {
    needs: 'session',
    says: 'Makes an API token of the caller’s.',
    body: ApiTokenInput,
    reply: ApiSendMessageToken,
  }),
  change: route('PUT', '/ApiSendMessageToken/:tokenId', {
    needs: 'session',
    says: 'Changes what is done with the messages of a token; for admins and its owner.',
    params: tokenId,
    body: ApiTokenInput,
    reply: ApiSendMessageToken,
  }),
  renew: route('POST', '/ApiSendMessageToken/:tokenId/renew', {
    needs: 'session',
    says: 'Gives a token a new id: the old one is refused from then on. For admins and its owner.',
    params: tokenId,
    reply: ApiSendMessageToken,
  }),
  remove: route('DELETE', '/ApiSendMessageToken/:tokenId', {
    needs: 'session',
    says: 'Revokes a token; for admins and its owner. What is in the outbox leaves.',
    params: tokenId,
  }),
}

/** That a token changed, by its name alone: whoever shows the list asks again. */
export const apiTokenChannel = listChannel('apiSendMessageToken', z.object({ name: z.string() }))
