import { createHmac, randomBytes } from 'node:crypto'
import type { DeliveryError } from '@balcao/contract/deliveries.ts'
import { databaseNow } from '../clock.ts'
import { OutboundError, type Outside } from './outbound.ts'

const TIMEOUT_MS = 10_000

/** Pauses between tries (ms), a day and a half in all, as the Standard Webhooks specification recommends. */
export const LONG_PAUSES = [5_000, 60_000, 300_000, 1_800_000, 7_200_000, 21_600_000, 43_200_000, 43_200_000]

/** What webhooks are signed with. */
export const newSigningSecret = () => `whsec_${randomBytes(24).toString('base64')}`

/** A call to another system, the same on each try. */
export interface SignedCall {
  id: string
  url: string
  body: string
  /** `whsec_` and a key in base64. */
  secret: string
  /** The answer is read, within this time (ms). */
  answerMs?: number
}

/** A call that is signed and encrypted otherwise, with its headers. */
export interface PlainCall {
  url: string
  body: Uint8Array
  headers: Record<string, string>
}

/** What it answered; no status when there was no answer: then `error` is the reason. */
export interface WebhookAnswer {
  status: number | null
  error: DeliveryError
  /** The text of an answer that was asked for. */
  answer?: string
}

const MOST_ANSWER_BYTES = 64 * 1024

/** Posts JSON, signed by the Standard Webhooks specification: the secret proves the sender and the time. */
export const postSigned = (outbound: Outside, webhook: SignedCall): Promise<WebhookAnswer> =>
  post(
    outbound,
    {
      url: webhook.url,
      body: webhook.body,
      headers: { 'content-type': 'application/json', ...signed(webhook) },
    },
    webhook.answerMs,
  )

/** Posts it as it is. */
export const postPlain = (outbound: Outside, call: PlainCall): Promise<WebhookAnswer> => post(outbound, call)

const post = (
  outbound: Outside,
  { url, body: sent, headers }: Omit<PlainCall, 'body'> & { body: string | Uint8Array },
  answerMs?: number,
): Promise<WebhookAnswer> =>
  outbound
    .fetchOutside(url, {
      ...{ method: 'POST', headers, body: sent },
      ...(answerMs === undefined
        ? { timeoutMs: TIMEOUT_MS, delivers: true }
        : { timeoutMs: answerMs, maxBytes: MOST_ANSWER_BYTES }),
    })
    .then(({ status, body }) => ({
      ...{ status, error: '' as const },
      ...(answerMs !== undefined && { answer: body.toString('utf8') }),
    }))
    .catch((error: unknown) => ({
      status: null,
      error: error instanceof OutboundError ? error.reason : 'unreachable',
    }))

/** The state of a call after a try: done, failed finally, or waiting for `pauseMs`. `pauses` (ms) are between the tries. */
export function afterTry({ status, error }: WebhookAnswer, attempts: number, pauses: number[]) {
  const isDone = status !== null && status >= 200 && status < 300
  const pause = pauses[attempts - 1]
  // an address in a private range does not become a public one by waiting; 410 means that the address has no receiver any more
  const isHopeless = error === 'forbidden' || status === 410 || pause === undefined
  const state = isDone ? ('done' as const) : isHopeless ? ('failed' as const) : ('waiting' as const)
  return { state, pauseMs: state === 'waiting' ? pause! : null }
}

function signed({ secret, id, body }: SignedCall, at = Math.floor(databaseNow() / 1000)) {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` }
}
