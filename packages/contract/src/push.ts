import { z } from 'zod'
import { id, instant, route } from './kit.ts'

/** Maximum of devices of one user; the one that was registered first makes room. */
export const MAX_DEVICES = 20
/** A notification that could not be delivered within so many minutes is not delivered any more. */
export const PUSH_MINUTES = 60

/** So many bytes in base64url, without padding. */
const bytes = (length: number) => {
  const letters = Math.ceil((length * 4) / 3)
  return z
    .string()
    .max(letters + 2, 'Too Long!')
    .regex(/^[A-Za-z0-9_-]*={0,2}$/, 'Must be base64url')
    .transform(key => key.replaceAll('=', ''))
    .refine(key => key.length === letters, `Must be ${length} bytes`)
}

/** The address of a push service; one on this machine, for trying out, also without encryption. */
const pushAddress = z
  .string()
  .max(1_000, 'Too Long!')
  .pipe(z.url({ protocol: /^https?$/, error: 'Must be an https address' }))
  .refine(
    address => /^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost)[:/])/i.test(address),
    'Must be an https address',
  )

/** What a browser answers as its `PushSubscription`. */
export const PushSubscriptionInput = z.object({
  endpoint: pushAddress,
  expirationTime: z.number().nullable().optional(),
  keys: z.object({ p256dh: bytes(65), auth: bytes(16) }),
})
export type PushSubscriptionInput = z.input<typeof PushSubscriptionInput>

export const PushDevice = z.object({
  id: z.int(),
  /** Browser and system, as the browser named them. */
  device: z.string(),
  /** Of the push service. */
  endpointHost: z.string(),
  /** It was registered by the session that asks. */
  isThis: z.boolean(),
  createdAt: instant,
})
export type PushDevice = z.infer<typeof PushDevice>

const minute = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'A time such as 18:30')

/** What the devices of a user notify of. */
export const PushSettings = z.object({
  /** Messages of customers in own tickets, and tickets that others hand over. */
  mine: z.boolean(),
  /** Messages of customers in pending tickets of own queues. */
  queues: z.boolean(),
  mentions: z.boolean(),
  /** Between these times, by the company's clock, nothing is shown; null for never. */
  quietFrom: minute.nullable(),
  quietTo: minute.nullable(),
})
export type PushSettings = z.infer<typeof PushSettings>

const PushSettingsInput = PushSettings.partial().refine(
  ({ quietFrom, quietTo }) => (quietFrom ?? null) === null || (quietTo ?? null) !== null,
  { path: ['quietTo'], message: 'Required' },
)

/** What reaches the device: the same names on both sides, in few bytes. */
export const PushPayload = z.object({
  kind: z.enum(['mine', 'queue', 'mention', 'test']),
  ticketId: z.int().nullable(),
  ticketUuid: z.string().nullable(),
  title: z.string(),
  body: z.string(),
  /** A notification replaces the one with the same tag. */
  tag: z.string(),
  /** How many tickets wait for the user. */
  badge: z.int(),
})
export type PushPayload = z.infer<typeof PushPayload>
export type PushKind = PushPayload['kind']

export const push = {
  key: route('GET', '/push/key', {
    needs: 'session',
    summary:
      'The public key (VAPID) with which a browser subscribes to the notifications of this installation.',
    reply: z.object({ publicKey: z.string() }),
  }),
  devices: route('GET', '/push/subscriptions', {
    needs: 'session',
    summary: 'The devices that notify the caller.',
    reply: z.object({ subscriptions: z.array(PushDevice) }),
  }),
  subscribe: route('POST', '/push/subscriptions', {
    needs: 'session',
    summary:
      'Registers the browser’s own PushSubscription for the caller’s session, with which it ends. An address that another user registered is the caller’s from then on. Refuses addresses in private networks with ERR_WEBHOOK_ADDRESS.',
    body: PushSubscriptionInput,
    reply: PushDevice,
    limit: { counts: 'calls', caller: 30 },
  }),
  unsubscribe: route('DELETE', '/push/subscriptions', {
    needs: 'session',
    summary: 'Ends the notifications of the own device with this address, if there is one.',
    body: z.object({ endpoint: z.string().max(1_000, 'Too Long!') }),
  }),
  removeDevice: route('DELETE', '/push/subscriptions/:subscriptionId', {
    needs: 'session',
    summary: 'Ends the notifications of one of the own devices.',
    params: z.object({ subscriptionId: id }),
  }),
  settings: route('GET', '/push/settings', {
    needs: 'session',
    summary: 'What the caller’s devices notify of, and when they do not.',
    reply: PushSettings,
  }),
  changeSettings: route('PUT', '/push/settings', {
    needs: 'session',
    summary:
      'Changes what the caller’s devices notify of; omitted fields are kept. Quiet hours have both ends.',
    body: PushSettingsInput,
    reply: PushSettings,
  }),
  test: route('POST', '/push/test', {
    needs: 'session',
    summary: 'Sends a notification to each of the caller’s devices; answers to how many.',
    reply: z.object({ devices: z.int() }),
    limit: { counts: 'calls', caller: 10 },
  }),
}
