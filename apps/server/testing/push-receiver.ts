import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  randomUUID,
  verify,
} from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { PushPayload, type PushSubscriptionInput } from '@balcao/contract/push.ts'

/** What a device of the service received, decrypted with its key. */
export interface PushReceived {
  payload: PushPayload
  ttl: number
  topic: string | undefined
  urgency: string | undefined
}

/** A browser with its subscription. */
export interface Browser {
  subscription: PushSubscriptionInput
  received: PushReceived[]
  /** How often it was tried to deliver something. */
  tries: number
  /** What is answered from now on instead of 201; null: nothing. */
  answers: number | null
}

export interface PushService {
  browser(): Browser
  /** What was refused, since no push service would take it. */
  refused: string[]
  close(): void
}

const MOST_BYTES = 4_096
const DAY_SECONDS = 86_400

/** A push service as RFC 8030, 8188, 8291 and 8292 define it: it takes what is signed for it and encrypted for one of its devices. */
export async function startPushService(): Promise<PushService> {
  const devices = new Map<string, { browser: Browser; decrypt(body: Buffer): string }>()
  const refused: string[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', part => parts.push(part))
    request.on('end', () => {
      const device = devices.get(request.url!)
      if (!device) return response.writeHead(404).end()
      const { browser, decrypt } = device
      browser.tries++
      const { answers } = browser
      if (answers === null) return
      if (answers !== 201) return response.writeHead(answers).end()
      try {
        const payload = read(request.headers, Buffer.concat(parts), `http://${request.headers.host}`, decrypt)
        browser.received.push(payload)
        return response.writeHead(201).end()
      } catch (error) {
        refused.push((error as Error).message)
        return response.writeHead(400).end()
      }
    })
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  return {
    refused,
    browser() {
      const path = `/send/${randomUUID()}`
      const { keys, decrypt } = newKeys()
      const subscription = { endpoint: `http://127.0.0.1:${port}${path}`, expirationTime: null, keys }
      const browser: Browser = { subscription, received: [], tries: 0, answers: 201 }
      devices.set(path, { browser, decrypt })
      return browser
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function read(
  headers: IncomingHttpHeaders,
  body: Buffer,
  origin: string,
  decrypt: (body: Buffer) => string,
): PushReceived {
  checkSender(String(headers.authorization), origin)
  if (headers['content-encoding'] !== 'aes128gcm') throw new Error('not aes128gcm')
  if (body.length > MOST_BYTES) throw new Error(`${body.length} bytes`)
  const { ttl, topic, urgency } = headers as Record<string, string | undefined>
  if (!/^\d+$/.test(ttl ?? '')) throw new Error('no TTL')
  if (topic !== undefined && !/^[\w-]{1,32}$/.test(topic)) throw new Error(`no topic: ${topic}`)
  return { payload: PushPayload.parse(JSON.parse(decrypt(body))), ttl: Number(ttl), topic, urgency }
}

/** VAPID: an ES256 token for this service, of a sender that can be reached, for a day at most. */
function checkSender(authorization: string, origin: string) {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const x = point.subarray(1, 33).toString('base64url')
  const y = point.subarray(33).toString('base64url')
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const signed = Buffer.from(`${head}.${claims}`)
  const fits = verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!fits) throw new Error('not signed by its key')
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>
  const left = Number(exp) - Date.now() / 1_000
  if (aud !== origin) throw new Error(`signed for ${aud}`)
  if (!(left > 0 && left <= DAY_SECONDS)) throw new Error(`valid for ${left} seconds`)
  if (!/^(https:|mailto:)/.test(String(sub))) throw new Error(`of nobody: ${sub}`)
}

const ofKey = (salt: Buffer, from: Buffer, about: Buffer | string, length: number) =>
  Buffer.from(hkdfSync('sha256', from, salt, about, length))

/** A device's keys, and what they decrypt. */
function newKeys() {
  const own = createECDH('prime256v1')
  const p256dh = own.generateKeys()
  const auth = randomBytes(16)
  return {
    keys: { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') },
    decrypt(body: Buffer): string {
      const salt = body.subarray(0, 16)
      const length = body.readUInt8(20)
      const sender = body.subarray(21, 21 + length)
      const sealed = body.subarray(21 + length)
      const about = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, sender])
      const shared = ofKey(auth, own.computeSecret(sender), about, 32)
      const key = ofKey(salt, shared, 'Content-Encoding: aes128gcm\0', 16)
      const nonce = ofKey(salt, shared, 'Content-Encoding: nonce\0', 12)
      const open = createDecipheriv('aes-128-gcm', key, nonce)
      open.setAuthTag(sealed.subarray(-16))
      const padded = Buffer.concat([open.update(sealed.subarray(0, -16)), open.final()])
      return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8')
    },
  }
}
