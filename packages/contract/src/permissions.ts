import { z } from 'zod'
import { bit, channel, digit, flag, id, page, pageQuery, route, text } from './kit.ts'

export const UserAuthorization = z.object({
  id: z.int(),
  name: z.string(),
  allowNoQueue: z.union([z.literal(0), z.literal(1)]),
  allowMultipleTickets: z.union([z.literal(0), z.literal(1)]),
  /** 0 all messages of the contact, 1 those of the user's own tickets, 2 only this ticket (OP-69). */
  viewMessagesByTicket: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  disableGreeting: z.boolean(),
  disableSignature: z.boolean(),
  allowCategorizeContacts: z.boolean(),
  allowCreateCategoryContacts: z.boolean(),
  allowViewPendingTickets: z.boolean(),
  enableAdministration: z.union([z.literal(0), z.literal(1)]),
  enableDash: z.union([z.literal(0), z.literal(1)]),
  allowTicketExport: z.boolean(),
  /** Not in the documents: a sheet of contacts is much work at once. */
  allowImportContacts: z.boolean(),
  /** Not in the documents: what reaches all users of the company. Admins have all of it. */
  allowDeleteOptOuts: z.boolean(),
  /** Deletes tags, flows, locations and quick answers, and changes flows. */
  allowDeleteShared: z.boolean(),
  /** Bots that answer on a connection. */
  allowDefaultBots: z.boolean(),
  allowWebhooks: z.boolean(),
  /** Makes, changes and deletes lists of tickets that all users have. */
  allowSharedViews: z.boolean(),
  /** Sees only own customers (the owner of the contact) and own tickets. Admins see all. */
  onlyOwnContacts: z.boolean(),
  allowTeam: z.boolean(),
  /** Talks with colleagues (/chat). */
  allowInternalChat: z.boolean(),
})
export type UserAuthorization = z.infer<typeof UserAuthorization>

export const UserAuthorizationInput = z.object({
  name: text(2, 50),
  allowNoQueue: bit.optional(),
  allowMultipleTickets: bit.optional(),
  viewMessagesByTicket: digit.pipe(UserAuthorization.shape.viewMessagesByTicket).optional(),
  disableGreeting: flag.optional(),
  disableSignature: flag.optional(),
  allowCategorizeContacts: flag.optional(),
  allowCreateCategoryContacts: flag.optional(),
  allowViewPendingTickets: flag.optional(),
  enableAdministration: bit.optional(),
  enableDash: bit.optional(),
  allowTicketExport: flag.optional(),
  allowImportContacts: flag.optional(),
  allowDeleteOptOuts: flag.optional(),
  allowDeleteShared: flag.optional(),
  allowDefaultBots: flag.optional(),
  allowWebhooks: flag.optional(),
  allowSharedViews: flag.optional(),
  onlyOwnContacts: flag.optional(),
  allowTeam: flag.optional(),
  allowInternalChat: flag.optional(),
})

const authorizationId = z.object({ authorizationId: id })

/** A group with the number of its users, who would be without one if it were deleted. */
export const UsedAuthorization = UserAuthorization.extend({ usersCount: z.int() })
export type UsedAuthorization = z.infer<typeof UsedAuthorization>

export const permissions = {
  list: route('GET', '/usersAuthorizations', {
    needs: 'session',
    summary: 'Permission groups of the company, by name.',
    query: pageQuery,
    reply: page('userAuthorizations', UserAuthorization),
  }),
  show: route('GET', '/usersAuthorizations/:authorizationId', {
    needs: 'administration',
    summary: 'One permission group, and how many users are in it.',
    params: authorizationId,
    reply: UsedAuthorization,
  }),
  create: route('POST', '/usersAuthorizations', {
    needs: 'administration',
    summary: 'Adds a permission group; flags that are left out get the documented defaults.',
    body: UserAuthorizationInput,
    reply: UserAuthorization,
  }),
  change: route('PUT', '/usersAuthorizations/:authorizationId', {
    edits: '/usersAuthorizations/:authorizationId',
    needs: 'administration',
    summary: 'Changes a permission group; its users feel it at once.',
    params: authorizationId,
    body: UserAuthorizationInput,
    reply: UserAuthorization,
  }),
  remove: route('DELETE', '/usersAuthorizations/:authorizationId', {
    needs: 'administration',
    summary: 'Removes a permission group; its users fall back to the defaults (OP-70).',
    params: authorizationId,
  }),
}

export const userAuthorizationChannel = channel(
  'userAuthorization-{companyId}',
  z.discriminatedUnion('action', [
    z.object({ action: z.enum(['create', 'update']), userAuthorization: UserAuthorization }),
    z.object({ action: z.literal('delete'), userAuthorizationId: z.int() }),
  ]),
)
