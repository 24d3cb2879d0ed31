import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** The self-signed certificate of the media host, which clients trust. */
export interface Certificate {
  key: string
  cert: string
}

let made: Certificate | undefined

/** One certificate per process for 127.0.0.1 and localhost; its key never leaves the process. */
export function ownCertificate(): Certificate {
  made ??= makeCertificate()
  return made
}

// X.509 version 3 (RFC 5280) in DER, written manually: Node reads certificates but makes none.
function makeCertificate(): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  // Another name each time: of two trusted certificates with one name, OpenSSL looks at one only.
  const name = sequence(der(0x31, sequence(oid('550403'), utf8(`test ${randomBytes(8).toString('hex')}`))))
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_SHA256,
    name,
    sequence(utcTime('200101000000Z'), utcTime('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternativeNames())),
  )
  const signature = sign('sha256', body, { key: privateKey, dsaEncoding: 'der' })
  const bits = der(0x03, Buffer.from([0]), signature)
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem(sequence(body, ECDSA_SHA256, bits)),
  }
}

function alternativeNames(): Buffer {
  const dns = der(0x82, Buffer.from('localhost'))
  const ip = der(0x87, Buffer.from([127, 0, 0, 1]))
  return sequence(oid('551d11'), der(0x04, sequence(dns, ip)))
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const integer = (bytes: Buffer) => der(0x02, bytes)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const utf8 = (text: string) => der(0x0c, Buffer.from(text))
const utcTime = (text: string) => der(0x17, Buffer.from(text))
const ECDSA_SHA256 = sequence(oid('2a8648ce3d040302'))

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g)!
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
