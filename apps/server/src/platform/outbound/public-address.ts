import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { request } from 'undici'
import { endsWithin } from './flow.ts'

/** How long (ms) the public address, or the product of this machine, may take to answer. */
const PATIENCE_MS = 5_000
const MOST_BYTES = 4_000_000

export interface Certificate {
  /** When it ends, in ms since 1970. */
  endsAt: number
  /** Why a browser would refuse it; empty where it would not. */
  refused: string
}

/** The certificate with which the operator's own public address answers. */
export const certificateOf = ({ hostname, port }: URL): Promise<Certificate> =>
  new Promise((done, fail) => {
    const name = hostname.replace(/^\[|\]$/g, '')
    const socket = connect({
      ...{ host: name, port: Number(port || 443), rejectUnauthorized: false, timeout: PATIENCE_MS },
      ...(isIP(name) === 0 && { servername: name }),
    })
    socket.once('secureConnect', () => {
      const { valid_to } = socket.getPeerCertificate()
      const refused = socket.authorized ? '' : String(socket.authorizationError)
      socket.destroy()
      done({ endsAt: Date.parse(valid_to), refused })
    })
    socket.once('timeout', () => socket.destroy(new Error(`no answer within ${PATIENCE_MS / 1_000} s`)))
    socket.once('error', fail)
  })

/** What an address of the operator answers, such as the product of this machine; its certificate is looked at by itself. */
export const askAddress = (url: string): Promise<{ status: number; body: string }> =>
  endsWithin(PATIENCE_MS, async signal => {
    const { statusCode, body } = await request(url, { signal, headers: { accept: 'application/json' } })
    const parts: Buffer[] = []
    let length = 0
    for await (const part of body) {
      parts.push(part)
      length += part.length
      if (length > MOST_BYTES) throw new Error('the answer is too long')
    }
    return { status: statusCode, body: Buffer.concat(parts).toString() }
  })
