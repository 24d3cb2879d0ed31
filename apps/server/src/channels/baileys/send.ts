import type { AnyMessageContent, MiscMessageGenerationOptions, proto, WAMessage, WASocket } from 'baileys'
import type { Heard, KeyRows, Outcome, Outgoing } from '../driver.ts'
import { findNumber, lidOf, localAddress } from './addresses.ts'
import { identityOf, serverAckOf } from './translate.ts'

/** The server answers within a second; after this long the message goes out again under the same id. */
const ACK_MS = 30_000
/** Too many strangers written to, or a number addressed whose owner moved to a LID. */
const RESTRICTED = '463'

type Ack = Record<string, string | undefined>

/** The sending half of one socket. */
export interface Sender {
  send(message: Outgoing): Promise<Outcome>
  /** The socket has closed: what waits for an answer will get none. */
  broken(): void
}

interface Doors {
  rows: KeyRows
  tell(heard: Heard): void
}

export function createSender(sock: WASocket, { rows, tell }: Doors): Sender {
  const waiting = new Map<string, (ack: Ack) => void>()
  const { promise: gone, resolve: broken } = Promise.withResolvers<void>()
  let isBroken = false
  sock.ws.on('CB:ack,class:message', ({ attrs }: { attrs: Ack }) => {
    const settle = waiting.get(attrs.id ?? '')
    if (settle) settle(attrs)
    else tell(serverAckOf(attrs))
  })

  /** Resolves with the server's ack, or null when it does not come. Rejects when the message could not be written. */
  async function submit(jid: string, message: Outgoing): Promise<Ack | null> {
    const { externalId } = message
    const { promise: acked, resolve: settle } = Promise.withResolvers<Ack | null>()
    const timer = setTimeout(settle, ACK_MS, null)
    waiting.set(externalId, settle)
    try {
      const { content, options } = whatsAppOf(jid, message)
      const written = sock.sendMessage(jid, content, { ...options, messageId: externalId })
      return await Promise.race([acked, written.then(() => acked)])
    } finally {
      clearTimeout(timer)
      waiting.delete(externalId)
    }
  }

  /** The address, or null when WhatsApp does not know the number. */
  async function addressOf({ chat }: Outgoing): Promise<string | null> {
    const { jid, isKnown } = await localAddress(rows, chat)
    if (isKnown) return jid
    const found = await findNumber(sock, chat.value)
    const identity = found && identityOf(jid, found)
    if (identity) tell(identity)
    return found
  }

  async function deliver(message: Outgoing): Promise<Outcome> {
    const jid = await addressOf(message)
    if (!jid) return { is: 'refused', reason: 'ERR_WAPP_INVALID_CONTACT' }
    const ack = await submit(jid, message)
    if (ack?.error !== RESTRICTED || !jid.endsWith('@s.whatsapp.net')) return outcomeOf(ack)
    const lid = await lidOf(sock, jid)
    return outcomeOf(lid ? await submit(lid, message) : ack)
  }

  return {
    async send(message) {
      const offline: Outcome = { is: 'unknown', reason: 'the connection broke' }
      if (isBroken) return offline
      // Baileys' own questions may hang for a minute on a dead socket.
      return Promise.race([deliver(message), gone.then(() => offline)])
    },
    broken() {
      isBroken = true
      broken()
    },
  }
}

/** The message as it was sent, for a recipient who could not decrypt it and asks again. */
export function protoOf(sent: Pick<Outgoing, 'body'> | null): proto.IMessage | undefined {
  return sent ? { extendedTextMessage: { text: sent.body } } : undefined
}

function whatsAppOf(jid: string, { body, quoted }: Outgoing) {
  // Without the null Baileys would fetch whatever address stands in the text.
  const content: AnyMessageContent = { text: body, linkPreview: null }
  const options: MiscMessageGenerationOptions = quoted ? { quoted: quotedOf(jid, quoted) } : {}
  return { content, options }
}

function quotedOf(
  remoteJid: string,
  { externalId, fromMe, body }: NonNullable<Outgoing['quoted']>,
): WAMessage {
  return { key: { remoteJid, id: externalId, fromMe }, message: { conversation: body } }
}

function outcomeOf(ack: Ack | null): Outcome {
  if (!ack) return { is: 'unknown', reason: 'the server did not answer' }
  return ack.error ? { is: 'refused', reason: ack.error } : { is: 'sent' }
}
