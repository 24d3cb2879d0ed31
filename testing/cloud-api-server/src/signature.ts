import { createHmac } from 'node:crypto'
import type { Signature } from './faults.ts'

/** `X-Hub-Signature-256` over the raw bytes, or an invalid one. Undefined: the header is missing. */
export function signatureHeader(secret: string, body: string, fault?: Signature): string | undefined {
  const sign = (key: string, bytes: string, algorithm = 'sha256') =>
    createHmac(algorithm, key).update(bytes).digest('hex')
  switch (fault) {
    case undefined:
      return `sha256=${sign(secret, body)}`
    case 'missing':
      return undefined
    case 'wrong':
      return `sha256=${'0'.repeat(64)}`
    case 'of another secret':
      return `sha256=${sign(`${secret}0`, body)}`
    case 'of other bytes':
      return `sha256=${sign(secret, JSON.stringify(JSON.parse(body), null, 1))}`
    case 'sha1':
      return `sha1=${sign(secret, body, 'sha1')}`
    case 'upper case':
      return `SHA256=${sign(secret, body).toUpperCase()}`
  }
}
