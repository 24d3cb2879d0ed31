import { aesDecryptGCM, aesEncryptGCM, Curve, hkdf, type KeyPair, NOISE_MODE, proto, sha256 } from 'baileys'

const NOTHING = Buffer.alloc(0)

/** The server's side of Noise_XX_25519_AESGCM_SHA256: one per connection, used once. */
export interface Handshake {
  /** Answers the client's hello with the server's keys and certificate. */
  hello(frame: Uint8Array): Uint8Array
  /** Reads the client's static key and login payload; the transport is ready afterwards. */
  finish(frame: Uint8Array): { clientStatic: Buffer; payload: proto.ClientPayload; transport: Transport }
}

export interface Transport {
  encrypt(plaintext: Uint8Array): Buffer
  decrypt(ciphertext: Uint8Array): Buffer
}

/**
 * Starts a handshake.
 * @param header the four bytes with which every client opens
 * @param serverStatic the server's long-lived key pair
 * @param certificate the encoded chain for that key
 */
export function startHandshake(
  header: Uint8Array,
  serverStatic: KeyPair,
  certificate: Uint8Array,
): Handshake {
  const state = symmetricState()
  const ephemeral = Curve.generateKeyPair()
  state.mixHash(header)
  return {
    hello(frame) {
      const clientEphemeral = proto.HandshakeMessage.decode(frame).clientHello?.ephemeral
      if (!clientEphemeral) throw new Error('the first frame is no ClientHello')
      state.mixHash(clientEphemeral)
      state.mixHash(ephemeral.public)
      state.mixKey(Curve.sharedKey(ephemeral.private, clientEphemeral))
      const encryptedStatic = state.encrypt(serverStatic.public)
      state.mixKey(Curve.sharedKey(serverStatic.private, clientEphemeral))
      const payload = state.encrypt(certificate)
      const serverHello = { ephemeral: ephemeral.public, static: encryptedStatic, payload }
      return proto.HandshakeMessage.encode({ serverHello }).finish()
    },
    finish(frame) {
      const sent = proto.HandshakeMessage.decode(frame).clientFinish
      if (!sent?.static || !sent.payload) throw new Error('the second frame is no ClientFinish')
      const clientStatic = state.decrypt(sent.static)
      state.mixKey(Curve.sharedKey(ephemeral.private, clientStatic))
      const payload = proto.ClientPayload.decode(state.decrypt(sent.payload))
      return { clientStatic, payload, transport: state.split() }
    },
  }
}

function symmetricState() {
  // The protocol's name is exactly 32 bytes, so Noise uses it unhashed as the first hash and chaining key.
  let hash = Buffer.from(NOISE_MODE)
  let chain: Buffer = hash
  let key: Buffer = hash
  let counter = 0
  const mixHash = (data: Uint8Array) => {
    hash = Buffer.from(sha256(Buffer.concat([hash, data])))
  }
  const expand = (data: Uint8Array): [Buffer, Buffer] => {
    const bytes = Buffer.from(hkdf(data, 64, { salt: chain, info: '' }))
    return [bytes.subarray(0, 32), bytes.subarray(32)]
  }
  return {
    mixHash,
    mixKey(secret: Uint8Array) {
      ;[chain, key] = expand(secret)
      counter = 0
    },
    encrypt(plaintext: Uint8Array): Buffer {
      const sealed = aesEncryptGCM(plaintext, key, nonce(counter++), hash)
      mixHash(sealed)
      return sealed
    },
    decrypt(sealed: Uint8Array): Buffer {
      const plaintext = aesDecryptGCM(sealed, key, nonce(counter++), hash)
      mixHash(sealed)
      return plaintext
    },
    split(): Transport {
      const [fromClient, toClient] = expand(NOTHING)
      let received = 0
      let sent = 0
      return {
        encrypt: plaintext => aesEncryptGCM(plaintext, toClient, nonce(sent++), NOTHING),
        decrypt: sealed => aesDecryptGCM(sealed, fromClient, nonce(received++), NOTHING),
      }
    },
  }
}

function nonce(counter: number): Buffer {
  const iv = Buffer.alloc(12)
  iv.writeUInt32BE(counter, 8)
  return iv
}
