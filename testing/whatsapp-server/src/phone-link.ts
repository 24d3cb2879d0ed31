import { createHmac, randomBytes } from 'node:crypto'
import {
  aesDecryptCTR,
  aesDecryptGCM,
  aesEncryptCTR,
  Curve,
  derivePairingCodeKey,
  hkdf,
  proto,
  WA_ADV_ACCOUNT_SIG_PREFIX,
} from 'baileys'
import type { ClientSocket } from './client-socket.ts'
import type { Device } from './directory.ts'
import { childBytes } from './nodes.ts'
import { completePairing, findUnpaired, sendPrimaryHello } from './pairing.ts'
import type { PhoneLine } from './phone-line.ts'

/**
 * Scans the text of a QR code. Resolves once the client is registered and instructed to restart. Throws when no client
 * shows this code, or when the code names other keys than the client has.
 */
export async function linkByQr(line: PhoneLine, qr: string): Promise<Device> {
  const [ref = '', noiseKey = '', identity = '', secret = ''] = (qr.split('#')[1] ?? qr).split(',')
  const socket = await findUnpaired(line.state, pairing => pairing.refs.includes(ref))
  if (!socket.clientStatic.equals(Buffer.from(noiseKey, 'base64'))) {
    throw new Error('the QR code carries the Noise key of another client')
  }
  return link(line, socket, Buffer.from(identity, 'base64'), Buffer.from(secret, 'base64'))
}

/**
 * Enters the eight characters of a pairing code. Throws when no client requested a code for this number, or when the
 * code is wrong.
 */
export async function linkByCode(line: PhoneLine, code: string): Promise<Device> {
  const socket = await findUnpaired(line.state, pairing => pairing.code?.number === line.account.number)
  const asked = socket.pairing!.code!
  const companionKey = await unwrapWithCode(code, asked.wrappedEphemeral)
  const ephemeral = Curve.generateKeyPair()
  const identity = line.signal.creds.signedIdentityKey
  sendPrimaryHello(
    socket,
    await wrapWithCode(code, Buffer.from(ephemeral.public)),
    Buffer.from(identity.public),
  )
  const finish = await asked.finish
  const shared = Curve.sharedKey(ephemeral.private, companionKey)
  const random = openKeyBundle(shared, childBytes(finish, 'link_code_pairing_wrapped_key_bundle'))
  const companionIdentity = childBytes(finish, 'companion_identity_public')
  const identities = Curve.sharedKey(identity.private, companionIdentity)
  const secret = hkdf(Buffer.concat([shared, identities, random]), 32, { info: 'adv_secret' })
  return link(line, socket, companionIdentity, Buffer.from(secret))
}

function link(
  { account, signal: { creds } }: PhoneLine,
  socket: ClientSocket,
  companionIdentity: Buffer,
  secret: Buffer,
): Promise<Device> {
  const { public: accountSignatureKey, private: signingKey } = creds.signedIdentityKey
  return completePairing(socket, account, keyIndex => {
    const details = proto.ADVDeviceIdentity.encode({
      rawId: creds.registrationId,
      timestamp: Math.floor(Date.now() / 1000),
      keyIndex,
      accountType: proto.ADVEncryptionType.E2EE,
      deviceType: proto.ADVEncryptionType.E2EE,
    }).finish()
    const signed = Buffer.concat([WA_ADV_ACCOUNT_SIG_PREFIX, details, companionIdentity])
    const accountSignature = Curve.sign(signingKey, signed)
    const container = proto.ADVSignedDeviceIdentity.encode({ details, accountSignatureKey, accountSignature })
    const sealed = container.finish()
    const hmac = createHmac('sha256', secret).update(sealed).digest()
    return proto.ADVSignedDeviceIdentityHMAC.encode({ details: sealed, hmac }).finish()
  })
}

async function wrapWithCode(code: string, key: Buffer): Promise<Buffer> {
  const salt = randomBytes(32)
  const iv = randomBytes(16)
  return Buffer.concat([salt, iv, aesEncryptCTR(key, await derivePairingCodeKey(code, salt), iv)])
}

async function unwrapWithCode(code: string, wrapped: Buffer): Promise<Buffer> {
  const key = await derivePairingCodeKey(code, wrapped.subarray(0, 32))
  return aesDecryptCTR(wrapped.subarray(48, 80), key, wrapped.subarray(32, 48))
}

// The bundle is companion identity, primary identity and 32 random bytes; only the last are news to the phone.
function openKeyBundle(shared: Buffer, bundle: Buffer): Buffer {
  const key = hkdf(shared, 32, {
    salt: bundle.subarray(0, 32),
    info: 'link_code_pairing_key_bundle_encryption_key',
  })
  try {
    const plain = aesDecryptGCM(bundle.subarray(44), key, bundle.subarray(32, 44), Buffer.alloc(0))
    return plain.subarray(64, 96)
  } catch {
    throw new Error('wrong pairing code')
  }
}
