import { PUSH_MINUTES, type PushPayload } from '@balcao/contract/push.ts'
import type { PlainCall } from '../../platform/outbound/webhooks.ts'

/** Of `web-push` only what encrypts and signs: the call itself is made by the guarded client. Loaded when it is needed first. */
const library = async () => (await import('web-push')).default

export interface VapidKeys {
  publicKey: string
  privateKey: string
}

export const newVapidKeys = async (): Promise<VapidKeys> => (await library()).generateVAPIDKeys()

interface Device {
  endpoint: string
  p256dh: string
  auth: string
}

/** Who answers for what is sent, as push services ask for it: an https address, or one of mail. */
export const contactOf = ({
  backendUrl,
  mailFrom,
}: {
  backendUrl: string
  mailFrom: string | null
}): string =>
  backendUrl.startsWith('https:')
    ? backendUrl
    : `mailto:${addressIn(mailFrom ?? '') || 'push@balcao.invalid'}`

/** Without the name that may stand before it: `Balcão <no-reply@loja.test>`. */
const addressIn = (sender: string) =>
  sender
    .slice(sender.lastIndexOf('<') + 1)
    .replace('>', '')
    .trim()

/** The call that delivers a notification: encrypted for the device (aes128gcm), signed by the installation (VAPID). */
export async function pushCall(
  { endpoint, p256dh, auth }: Device,
  payload: PushPayload,
  { keys, subject, topic }: { keys: VapidKeys; subject: string; topic: string | null },
): Promise<PlainCall> {
  const { headers, body } = (await library()).generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify(payload),
    {
      vapidDetails: { subject, ...keys },
      TTL: PUSH_MINUTES * 60,
      urgency: 'high',
      contentEncoding: 'aes128gcm',
      ...(topic && { topic }),
    },
  )
  return { url: endpoint, body: body ?? Buffer.alloc(0), headers: textual(headers) }
}

/** The client counts the bytes by itself. */
const textual = (headers: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.toLowerCase() !== 'content-length')
      .map(([name, value]) => [name.toLowerCase(), String(value)]),
  )
