import { z } from 'zod'
import { endSecrets, newPassword } from './accounts.ts'
import { SessionCompany } from './companies.ts'
import {
  bit,
  channel,
  EvenIfUsed,
  email,
  flag,
  id,
  idOrNone,
  instant,
  page,
  pageQuery,
  route,
  text,
} from './kit.ts'
import { UserAuthorization } from './permissions.ts'

export const QueueTag = z.object({ id: z.int(), name: z.string(), color: z.string() })
export const Profile = z.enum(['admin', 'user'])

/** A user in answers; the password never leaves the server. */
export const User = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  profile: Profile,
  companyId: z.int(),
  queues: z.array(QueueTag),
  queueIds: z.array(z.int()),
  whatsappId: z.int().nullable(),
  whatsapp: z.object({ id: z.int(), name: z.string() }).nullable(),
  userAuthorizationId: z.int().nullable(),
  userAuthorization: UserAuthorization.nullable(),
  greetingMessage: z.string(),
  /** Sent when the user resolves a ticket, before that of its queue; empty for none. */
  farewellMessage: z.string(),
  enableGreeting: z.boolean(),
  signMessage: z.boolean(),
  showAllTickets: z.boolean(),
  payPanelAccess: z.boolean(),
  master: z.union([z.literal(0), z.literal(1)]),
  volume: z.int().min(0).max(100),
  /** With the flags that the menus read. */
  company: SessionCompany,
  createdAt: instant,
  updatedAt: instant,
})
export type User = z.infer<typeof User>

/** A colleague for a picker. */
export const UserChoice = z.object({
  id: z.int(),
  name: z.string(),
  profile: Profile,
  queues: z.array(QueueTag),
})
export type UserChoice = z.infer<typeof UserChoice>

/** Default texts in a user's name (core §9). */
export const DEFAULT_GREETING =
  'Olá, {{cliente}}! Aqui é {{atendente}} e vou cuidar do seu atendimento.\nProtocolo {{protocolo}}, {{data}} às {{horas}}.'

/** Fields a non-master must give for a new user, by the names of the documents (core §5). */
export const incomplete = {
  userAuthorizationId: 'Defina o grupo de permissões',
  whatsappId: 'Não foi definido há conexão padrão para este usuário',
  queueIds: 'Não foi definido nenhum setor padrão para este usuário',
} as const

export const DEFAULT_VOLUME = 50

export const UserInput = z.object({
  name: text(2, 50),
  email,
  password: newPassword.or(z.literal('')).optional(),
  profile: Profile.optional(),
  whatsappId: id.nullable().optional(),
  queueIds: z.array(id).max(200).optional(),
  greetingMessage: z.string().max(4000, 'Too Long!').nullable().optional(),
  farewellMessage: z.string().max(4000, 'Too Long!').nullable().optional(),
  userAuthorizationId: id.nullable().optional(),
  enableGreeting: flag.optional(),
  signMessage: flag.optional(),
  showAllTickets: flag.optional(),
  payPanelAccess: flag.optional(),
  master: bit.optional(),
  volume: z.int().min(0).max(100).optional(),
})
export type UserInput = z.infer<typeof UserInput>

const userId = z.object({ userId: id })

/** Automation in a user's name, and credentials that act for the user. */
export const BelongingKind = z.enum([
  'apiTokens',
  'campaignSetups',
  'campaigns',
  'bots',
  'schedules',
  'webhooks',
  'invitations',
  'contacts',
])
export type BelongingKind = z.infer<typeof BelongingKind>

export const Belongings = z.object({
  kind: BelongingKind,
  count: z.int(),
  /** The first ones by name. */
  names: z.array(z.string()),
})
export type Belongings = z.infer<typeof Belongings>

export const users = {
  list: route('GET', '/users', {
    needs: 'session',
    summary: 'Users of the company by name; searchParam matches name and e-mail.',
    query: pageQuery,
    reply: page('users', User),
  }),
  all: route('GET', '/users/list', {
    needs: 'session',
    summary: 'Every user of the company, for pickers.',
    reply: z.array(UserChoice),
  }),
  show: route('GET', '/users/:userId', {
    needs: 'session',
    summary: 'One user of the company.',
    params: userId,
    reply: User,
  }),
  create: route('POST', '/users', {
    needs: 'administration',
    summary:
      'Adds a user within the plan; the first one brings default queues, groups and connection (OP-71).',
    body: UserInput,
    reply: User,
  }),
  change: route('PUT', '/users/:userId', {
    edits: '/users/:userId',
    needs: 'session',
    summary:
      'Changes a user. Own preferences need no right; anything else needs administration. A new password ends sessions, and unless `endSecrets` is false API tokens and ids of campaign setups.',
    params: userId,
    body: UserInput.partial().extend({ endSecrets }),
    reply: User,
  }),
  remove: route('DELETE', '/users/:userId', {
    needs: 'administration',
    summary:
      'Removes a user; its open tickets go back to pending (OP-70). What belongs to it goes to the colleague `heirId`, or stops. ERR_USED_BY_BOTS with their names where bots transfer to it, unless `evenIfUsed`.',
    params: userId,
    query: EvenIfUsed.extend({ heirId: idOrNone.optional() }),
  }),
  belongings: route('GET', '/users/:userId/belongings', {
    needs: 'administration',
    summary: 'What goes to a colleague, or stops, when this user is removed.',
    params: userId,
    reply: z.object({ belongings: z.array(Belongings) }),
  }),
}

export const userChannel = channel('user', z.object({ action: z.literal('update'), user: User }))

export const companyUserChannel = channel(
  'user-{companyId}',
  z.discriminatedUnion('action', [
    z.object({ action: z.enum(['create', 'update']), user: User }),
    z.object({ action: z.literal('delete'), userId: z.int() }),
  ]),
)
