import {
  type AuthenticationCreds,
  addTransactionCapability,
  Curve,
  DEFAULT_CONNECTION_CONFIG,
  encodeBigEndian,
  encodeWAMessage,
  generateSignalPubKey,
  initAuthCreds,
  proto,
  unpadRandomMax16,
} from 'baileys'
import type { DeviceKeys } from './directory.ts'
import { memoryKeys } from './memory-keys.ts'
import { type BinaryNode, node } from './nodes.ts'
import { noLogger } from './quiet.ts'

const PRE_KEYS = 20

/** A Signal identity with its sessions: the part of a phone that encrypts and decrypts. Devices are named by LID. */
export interface Participant {
  creds: AuthenticationCreds
  /** The keys the server gives to whoever begins a session with this one. */
  keys: DeviceKeys
  /** An `<enc>` for a device; begins a session from `keys` when there is none (or always, when `renew`). */
  encrypt(
    to: string,
    message: proto.IMessage,
    keys: () => DeviceKeys,
    how?: { renew?: boolean },
  ): Promise<BinaryNode>
  /** Throws what libsignal throws when the message cannot be read. */
  decrypt(from: string, enc: BinaryNode): Promise<proto.Message>
  /** An `<enc>` for all members of a group, and the message that lets a device read it and what follows. */
  encryptForGroup(
    group: string,
    me: string,
    message: proto.IMessage,
  ): Promise<{ enc: BinaryNode; distribution: proto.IMessage }>
  /** Stores a member's key for a group. */
  learn(from: string, distribution: proto.Message.ISenderKeyDistributionMessage): Promise<void>
  decryptFromGroup(group: string, from: string, enc: BinaryNode): Promise<proto.Message>
  close(): void
}

/** A new identity with fresh keys, all in memory. */
export async function makeParticipant(): Promise<Participant> {
  const creds = initAuthCreds()
  const store = addTransactionCapability(memoryKeys(), noLogger, {
    maxCommitRetries: 1,
    delayBetweenTriesMs: 1,
  })
  const signal = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(
    { creds, keys: store },
    noLogger,
    async () => [],
  )
  const preKeys = Array.from({ length: PRE_KEYS }, (_, at) => ({ id: at + 1, pair: Curve.generateKeyPair() }))
  await store.set({ 'pre-key': Object.fromEntries(preKeys.map(({ id, pair }) => [id, pair])) })

  return {
    creds,
    keys: publicKeys(
      creds,
      preKeys.map(({ id, pair }) => ({ id: bigEndian(id, 3), value: Buffer.from(pair.public) })),
    ),
    async encrypt(to, message, keys, { renew = false } = {}) {
      if (renew || !(await signal.validateSession(to)).exists) {
        await signal.injectE2ESession({ jid: to, session: sessionStart(keys()) })
      }
      const { type, ciphertext } = await signal.encryptMessage({ jid: to, data: encodeWAMessage(message) })
      return node('enc', { v: '2', type }, ciphertext)
    },
    async decrypt(from, enc) {
      const type = enc.attrs.type as 'pkmsg' | 'msg'
      const ciphertext = enc.content as Uint8Array
      const padded = await signal.decryptMessage({ jid: from, type, ciphertext })
      return proto.Message.decode(unpadRandomMax16(padded))
    },
    async encryptForGroup(group, me, message) {
      const data = encodeWAMessage(message)
      const { ciphertext, senderKeyDistributionMessage } = await signal.encryptGroupMessage({
        group,
        meId: me,
        data,
      })
      const key = { groupId: group, axolotlSenderKeyDistributionMessage: senderKeyDistributionMessage }
      return {
        enc: node('enc', { v: '2', type: 'skmsg' }, ciphertext),
        distribution: { senderKeyDistributionMessage: key },
      }
    },
    learn: (authorJid, item) => signal.processSenderKeyDistributionMessage({ authorJid, item }),
    async decryptFromGroup(group, authorJid, enc) {
      const padded = await signal.decryptGroupMessage({ group, authorJid, msg: enc.content as Uint8Array })
      return proto.Message.decode(unpadRandomMax16(padded))
    },
    close: () => signal.close?.(),
  }
}

export const bigEndian = (value: number, bytes: number): Buffer => Buffer.from(encodeBigEndian(value, bytes))

function publicKeys(creds: AuthenticationCreds, preKeys: DeviceKeys['preKeys']): DeviceKeys {
  const { keyId, keyPair, signature } = creds.signedPreKey
  return {
    registrationId: bigEndian(creds.registrationId, 4),
    identity: Buffer.from(creds.signedIdentityKey.public),
    signedPreKey: {
      id: bigEndian(keyId, 3),
      value: Buffer.from(keyPair.public),
      signature: Buffer.from(signature),
    },
    preKeys,
  }
}

function sessionStart(keys: DeviceKeys) {
  const { registrationId, identity, signedPreKey, preKeys } = keys
  const preKey = preKeys[0]
  return {
    registrationId: registrationId.readUIntBE(0, registrationId.length),
    identityKey: generateSignalPubKey(identity),
    signedPreKey: {
      keyId: signedPreKey.id.readUIntBE(0, 3),
      publicKey: generateSignalPubKey(signedPreKey.value),
      signature: signedPreKey.signature,
    },
    preKey: preKey && { keyId: preKey.id.readUIntBE(0, 3), publicKey: generateSignalPubKey(preKey.value) },
  }
}
