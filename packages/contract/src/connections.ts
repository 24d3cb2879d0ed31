import { z } from 'zod'
import { PlaceHours, PlaceHoursInput } from './businessHours.ts'
import { CloudInput, CloudView, SignUpInput } from './cloud.ts'
import { bit, channel, flag, id, idOrNone, instant, moment, route, text } from './kit.ts'
import { QueueTexts } from './queues.ts'

export const ConnectionStatus = z.enum([
  'qrcode',
  'PAIRING',
  'DISCONNECTED',
  'CONNECTED',
  'TIMEOUT',
  'OPENING',
  // it is being removed: nothing is received or sent any more
  'REMOVING',
])
export type ConnectionStatus = z.infer<typeof ConnectionStatus>

export const Lib = z.enum(['baileys', 'cloud', 'simulator'])
export type Lib = z.infer<typeof Lib>

/** A connection as the table shows it. Keys and credentials are never part of it. */
export const Connection = z.object({
  id: z.int(),
  name: z.string(),
  status: ConnectionStatus,
  /** Error code of why it is not connected, or, of a connected one, cannot record what it receives; else empty. */
  statusReason: z.string(),
  /** While it is disconnected for a time only: when it is opened again without an order. */
  statusUntil: instant.nullable(),
  /** Until when WhatsApp refuses first messages to people who never wrote to this number. */
  restrictedUntil: instant.nullable(),
  whatsappNumber: z.string(),
  /** The text of the QR code while one waits to be scanned; empty otherwise, and for everyone but admins. */
  qrcode: z.string(),
  /** Eight characters to type on the phone instead of scanning; same audience as the QR. */
  pairingCode: z.string(),
  retries: z.int(),
  /** Desired state: `on` while its admin wants a session kept open. Session credentials never leave the server. */
  session: z.enum(['on', '']),
  isDefault: z.boolean(),
  greetingMessage: z.string(),
  farewellMessage: z.string(),
  /** Sent to who writes outside the hours; empty for none. */
  outOfHoursMessage: z.string(),
  ...PlaceHours.shape,
  disableGroupMessages: z.boolean(),
  lib: Lib,
  queues: z.array(QueueTexts),
  queueIds: z.array(z.int()),
  importOldMessages: instant.nullable(),
  importRecentMessages: instant.nullable(),
  importOldMessagesGroups: z.boolean(),
  closedTicketsPostImported: z.boolean(),
  saasNotificationCenter: z.boolean(),
  statusImportMessages: z.string(),
  company: z.object({ id: z.int(), name: z.string() }),
  /** Since when it rests, since the company has more connections than its plan; null: it does not. */
  restingSince: instant.nullable(),
  /** Settings and health of the official API: null for other kinds, and for everyone but admins. */
  cloud: CloudView.nullable(),
  updatedAt: instant,
})
export type Connection = z.infer<typeof Connection>

/** The part that changes while a session opens and closes. */
export const ConnectionSession = Connection.pick({
  id: true,
  status: true,
  statusReason: true,
  statusUntil: true,
  restrictedUntil: true,
  whatsappNumber: true,
  qrcode: true,
  pairingCode: true,
  retries: true,
  session: true,
  updatedAt: true,
})
export type ConnectionSession = z.infer<typeof ConnectionSession>

export const ConnectionInput = z.object({
  name: text(2, 50),
  greetingMessage: z.string().max(4000, 'Too Long!').nullable().optional(),
  farewellMessage: z.string().max(4000, 'Too Long!').nullable().optional(),
  outOfHoursMessage: z.string().max(4000, 'Too Long!').nullable().optional(),
  ...PlaceHoursInput.shape,
  isDefault: bit.optional(),
  disableGroupMessages: bit.optional(),
  lib: Lib.optional(),
  queueIds: z.array(id).max(200).optional(),
  importOldMessages: moment.nullable().optional(),
  importRecentMessages: moment.nullable().optional(),
  importOldMessagesGroups: bit.optional(),
  closedTicketsPostImported: bit.optional(),
  saasNotificationCenter: bit.optional(),
  /** Only with `lib` cloud, which needs all fields once; omitted ones are kept. Then the session opens. */
  cloud: CloudInput.optional(),
})
export type ConnectionInput = z.infer<typeof ConnectionInput>

/** Rows of a connection's history of falls; older ones are deleted. */
export const MOST_FALLS = 50

/** One time at which a connection was lost, ended or restricted. */
export const Fall = z.object({
  id: z.int(),
  /** An error code. */
  reason: z.string(),
  /** WhatsApp's own code, and what it adds to it; empty where there is none. */
  code: z.string(),
  at: instant,
  /** When it ends without an order; null where that is not known. */
  until: instant.nullable(),
  /** When the connection was back; null while it is not. */
  backAt: instant.nullable(),
})
export type Fall = z.infer<typeof Fall>

const whatsappId = z.object({ whatsappId: id })

export const connections = {
  list: route('GET', '/whatsapp', {
    needs: 'session',
    summary: 'Connections of the company by name.',
    reply: z.array(Connection),
  }),
  show: route('GET', '/whatsapp/:whatsappId', {
    needs: 'session',
    summary: 'One connection.',
    params: whatsappId,
    reply: Connection,
  }),
  falls: route('GET', '/whatsapp/:whatsappId/falls', {
    needs: 'admin',
    summary: `The last ${MOST_FALLS} times at which a connection was lost, ended or restricted, the newest first.`,
    params: whatsappId,
    reply: z.object({ falls: z.array(Fall) }),
  }),
  create: route('POST', '/whatsapp', {
    needs: 'admin',
    summary: 'Adds a connection within the plan; the first one becomes the default.',
    body: ConnectionInput,
    reply: Connection,
  }),
  change: route('PUT', '/whatsapp/:whatsappId', {
    edits: '/whatsapp/:whatsappId',
    needs: 'admin',
    summary: 'Changes a connection; a new default takes the flag from the former one.',
    params: whatsappId,
    body: ConnectionInput.partial(),
    reply: Connection,
  }),
  remove: route('DELETE', '/whatsapp/:whatsappId', {
    needs: 'admin',
    summary:
      'Removes a connection and its keys: nothing is received or sent over it from the reply on. Its tickets that are not closed go to the connection `heirId`, are closed, or stay without a connection. Where there are many, it is shown as `REMOVING` until the last of them moved.',
    params: whatsappId,
    query: z.object({ heirId: idOrNone.optional(), closeTickets: flag.optional() }),
  }),
  signUp: route('POST', '/cloud/signup', {
    needs: 'admin',
    summary:
      'Ends the embedded sign-up of Meta: adds a connection of the official API for the number, or renews the access of the one that has it. ERR_WAPP_SIGN_UP where Meta does not accept the code, ERR_WAPP_CLOUD_PIN where the number has another PIN or needs one.',
    body: SignUpInput,
    reply: Connection,
    limit: { counts: 'calls', caller: 10 },
  }),
  heir: route('GET', '/whatsapp/:whatsappId/heir', {
    needs: 'admin',
    summary:
      'How many tickets another connection would get if this one were removed, and how many of their contacts it cannot write to: they hide their number, or are groups.',
    params: whatsappId,
    query: z.object({ heirId: id }),
    reply: z.object({ tickets: z.int(), unreachable: z.int() }),
  }),
  start: route('POST', '/whatsappsession/:whatsappId', {
    needs: 'admin',
    summary: 'Opens the session with the credentials at hand, or asks for a QR code.',
    params: whatsappId,
    reply: ConnectionSession,
  }),
  renew: route('PUT', '/whatsappsession/:whatsappId', {
    needs: 'admin',
    summary:
      'Forgets the credentials and asks for a new QR code, or for a code to type when a number is given.',
    params: whatsappId,
    body: z.object({
      /** As people write it; without a country it is one of the company's. */
      number: z
        .string()
        .trim()
        .max(30, 'Too Long!')
        .regex(/^\+?[\d\s().-]{8,}$/, 'Not a number')
        .optional(),
    }),
    reply: ConnectionSession,
  }),
  disconnect: route('DELETE', '/whatsappsession/:whatsappId', {
    needs: 'admin',
    summary: 'Logs the number out. ERR_WAPP_NOT_INITIALIZED when there is no session.',
    params: whatsappId,
    reply: ConnectionSession,
  }),
}

export const connectionChannel = channel(
  'whatsapp-{companyId}',
  z.object({ action: z.literal('update'), whatsapp: Connection }),
)
export const connectionDeletedChannel = channel(
  'whatsapp',
  z.object({ action: z.literal('delete'), whatsappId: z.int() }),
)
export const connectionSessionChannel = channel(
  'whatsappSession',
  z.object({ action: z.literal('update'), session: ConnectionSession }),
)
