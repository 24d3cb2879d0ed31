import {
  generateWAMessageFromContent,
  isJidGroup,
  isLidUser,
  jidNormalizedUser,
  type proto,
  type WAMessage,
  type WASocket,
} from 'baileys'
import type { Chat, Heard, KeyRows, Operation, Outcome, Outgoing } from '../../driver.ts'
import { findNumber, jidOf, lidOf, localAddress } from './addresses.ts'
import { type Composer, Refused } from './compose.ts'
import { type Packed, packOperation } from './operations.ts'
import { identityOf, serverAckOf } from './translate.ts'

/** The server answers within a second; after this long the message goes out again under the same id. */
const ACK_MS = 30_000
/** Too many strangers written to, or a number addressed whose owner moved to a LID. */
const RESTRICTED = '463'

type Ack = Record<string, string | undefined>

/** The sending half of one socket. */
export interface Sender {
  send(message: Outgoing): Promise<Outcome>
  act(operation: Operation): Promise<Outcome>
  /** The socket has closed: what waits for an answer will get none. */
  broken(): void
}

interface Deps {
  rows: KeyRows
  composer: Composer
  /** What went out under an id; undefined when that is not known or not ours. */
  sent(externalId: string): Promise<proto.IMessage | null | undefined>
  tell(heard: Heard): void
}

/** One stanza to be written, as soon as its address is known. */
interface Parcel {
  chat: Chat
  externalId: string
  pack(jid: string): Promise<Packed>
}

export function createSender(sock: WASocket, { rows, composer, sent, tell }: Deps): Sender {
  const waiting = new Map<string, (ack: Ack) => void>()
  const { promise: gone, resolve: broken } = Promise.withResolvers<void>()
  let isBroken = false
  sock.ws.on('CB:ack,class:message', ({ attrs }: { attrs: Ack }) => {
    const settle = waiting.get(attrs.id ?? '')
    if (settle) settle(attrs)
    else tell(serverAckOf(attrs))
  })

  /** Resolves with the server's ack, or null when it does not come. Rejects when the message could not be written. */
  async function submit(jid: string, { externalId, pack }: Parcel): Promise<Ack | null> {
    const { message, attrs } = await pack(jid)
    const { promise: acked, resolve: settle } = Promise.withResolvers<Ack | null>()
    const timer = setTimeout(settle, ACK_MS, null)
    waiting.set(externalId, settle)
    try {
      const written = sock.relayMessage(jid, message, { messageId: externalId, additionalAttributes: attrs })
      return await Promise.race([acked, written.then(() => acked)])
    } finally {
      clearTimeout(timer)
      waiting.delete(externalId)
    }
  }

  /** The address, or null when WhatsApp does not know the number. Throws `Unchecked` when it does not answer. */
  async function addressOf(chat: Chat): Promise<string | null> {
    if (chat.kind === 'cloud') return null
    const { jid, isKnown } = await localAddress(rows, chat)
    if (isKnown) return jid
    const found = await findNumber(sock, chat.value).catch(error => {
      throw new Unchecked('ERR_WAPP_CHECK_CONTACT', { cause: error })
    })
    const identity = found && identityOf(jid, found)
    if (identity) tell(identity)
    return found
  }

  async function deliver(parcel: Parcel): Promise<Outcome> {
    const jid = await addressOf(parcel.chat)
    if (!jid) return { is: 'refused', reason: 'ERR_WAPP_INVALID_CONTACT' }
    const ack = await submit(jid, parcel)
    if (ack?.error !== RESTRICTED || !jid.endsWith('@s.whatsapp.net')) return outcomeOf(ack)
    const lid = await lidOf(sock, jid)
    return outcomeOf(lid ? await submit(lid, parcel) : ack)
  }

  /** Baileys' own questions may hang for a minute on a dead socket. */
  async function deliverOrBreak(parcel: Parcel): Promise<Outcome> {
    const offline: Outcome = { is: 'unknown', reason: 'the connection broke' }
    if (isBroken) return offline
    const delivery = deliver(parcel).catch((error): Outcome => {
      if (error instanceof Refused) return { is: 'refused', reason: error.reason }
      if (error instanceof Unchecked) return { is: 'unknown', reason: error.message }
      throw error
    })
    delivery.catch(() => {})
    return Promise.race([delivery, gone.then(() => offline)])
  }

  return {
    send: message =>
      deliverOrBreak({
        chat: message.chat,
        externalId: message.externalId,
        async pack(jid) {
          if (message.again && isJidGroup(jid)) await handOutKeyAgain(sock, jid)
          const content = await composer.compose(sock, message.externalId, message)
          return { message: quoting(sock, jid, content, message) }
        },
      }),
    act: operation =>
      deliverOrBreak({
        chat: operation.chat,
        externalId: operation.externalId,
        async pack(jid) {
          const original = operation.what === 'edit' ? await sent(operation.target.externalId) : undefined
          return packOperation(jid, operation, original)
        },
      }),
    broken() {
      isBroken = true
      broken()
    },
  }
}

/** What became of the first try is not known: it may be that nobody got our key of the group with it. */
const handOutKeyAgain = (sock: WASocket, jid: string) =>
  sock.authState.keys.set({ 'sender-key-memory': { [jid]: null } })

/** WhatsApp was asked whether a number exists and did not say. */
class Unchecked extends Error {}

/** The message as it goes out: with what it answers. */
function quoting(sock: WASocket, jid: string, content: proto.IMessage, { externalId, quoted }: Outgoing) {
  if (!quoted) return content
  const { id, lid } = sock.authState.creds.me!
  const userJid = jidNormalizedUser((isLidUser(jid) || isJidGroup(jid)) && lid ? lid : id)
  const options = { userJid, messageId: externalId, quoted: quotedOf(jid, quoted) }
  return generateWAMessageFromContent(jid, content, options).message!
}

function quotedOf(remoteJid: string, quoted: NonNullable<Outgoing['quoted']>): WAMessage {
  const { externalId: id, fromMe, author, body } = quoted
  const participant = author ? jidOf(author) : undefined
  return { key: { remoteJid, id, fromMe, participant }, message: { conversation: body } }
}

function outcomeOf(ack: Ack | null): Outcome {
  if (!ack) return { is: 'unknown', reason: 'the server did not answer' }
  return ack.error ? { is: 'refused', reason: ack.error } : { is: 'sent' }
}
