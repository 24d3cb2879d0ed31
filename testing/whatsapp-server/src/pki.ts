import { Curve, type KeyPair, proto } from 'baileys'

const { Details } = proto.CertChain.NoiseCertificate

/** The certificate authority of the test servers: a client trusts `rootPublicKey` in place of WhatsApp's. */
export interface Pki {
  rootPublicKey: Buffer
  /** The encoded certificate chain for a server's static Noise key. */
  certify(serverStatic: Uint8Array): Uint8Array
}

let shared: Pki | undefined

/** One authority per process, because Baileys trusts one root key per process. */
export function sharedPki(): Pki {
  shared ??= makePki()
  return shared
}

/** A new authority of its own. */
export function makePki(): Pki {
  const root = Curve.generateKeyPair()
  const intermediate = Curve.generateKeyPair()
  return {
    rootPublicKey: Buffer.from(root.public),
    certify: serverStatic =>
      proto.CertChain.encode({
        intermediate: certificate(root, intermediate.public, { serial: 1, issuerSerial: 0 }),
        leaf: certificate(intermediate, serverStatic, { serial: 2, issuerSerial: 1 }),
      }).finish(),
  }
}

function certificate(issuer: KeyPair, key: Uint8Array, serials: { serial: number; issuerSerial: number }) {
  const details = Details.encode({ ...serials, key, notBefore: 0, notAfter: 4_000_000_000 }).finish()
  return { details, signature: Curve.sign(issuer.private, details) }
}
