import { decryptEventResponse, decryptPollVote, jidNormalizedUser, proto, type WAMessage } from 'baileys'
import type { Chat, GivenAnswer, InboundEvent, KeyRows, SessionHost } from '../../../driver.ts'
import { databaseNow, LAST_MS } from '../../../platform/clock.ts'
import { externalIdOf } from '../../../platform/external.ts'
import type { Me, Owner } from '../keys/journal.ts'
import { ownSecret } from '../keys/secrets.ts'
import { chatOf, completeChat, jidOf } from './addresses.ts'
import { choiceHashOf, choicesOfVote, hashesOf, pollContentOf } from './answers.ts'
import { unwrapped } from './content.ts'
import { countFrom } from './text.ts'
import { sayingOf } from './translate.ts'

/**
 * Votes in polls and replies to events are encrypted with the secret of the message that they answer (HKDF-SHA256 with
 * "Poll Vote" or "Event Response" and the addresses of both sides, then AES-256-GCM; whatsmeow, msgsecret.go). The secret
 * comes with that message and is kept as a key row of the connection, which is encrypted at rest; that of a poll which was
 * sent from here follows from its id.
 */
export interface SealedAnswers {
  /** Keeps the secret of a poll or an event; nothing for any other message. */
  keep(message: WAMessage, me: Me): Promise<void>
  /** The answer in a message; null when there is none in it. */
  open(message: WAMessage, me: Owner): Promise<InboundEvent | null>
}

/** The type of the key rows, by the id of the message that is answered. */
const SECRETS = 'answer-secret'
/** The oldest are dropped: answers to them are only logged. */
const MOST_SECRETS = 1_000

interface Secret {
  /** Base64. */
  key: string
  fromMe: boolean
  /** Addresses of its author. */
  authors: string[]
  /** SHA-256 of each choice of a poll, as votes name them, in the order in which they are shown. */
  choices: string[]
  at: number
}

export function createSealedAnswers({
  rows,
  sent,
}: {
  rows: KeyRows
  sent: SessionHost['sent']
}): SealedAnswers {
  let known: Map<string, Secret> | undefined
  async function load() {
    if (known) return known
    const read = [...(await rows.readAll(SECRETS))].map(([id, value]) => [id, JSON.parse(value)] as const)
    known ??= new Map<string, Secret>(read)
    return known
  }

  return {
    async keep(message, me) {
      const id = externalIdOf(message.key.id)
      const found = secretIn(message, me)
      if (!found || !id) return
      const secrets = await load()
      // the first stays: somebody else may send a message under the id of a poll
      if (secrets.has(id)) return
      const oldest = [...secrets].sort(([, a], [, b]) => a.at - b.at)
      const dropped = oldest.slice(0, Math.max(0, oldest.length + 1 - MOST_SECRETS)).map(([old]) => old)
      const changes = dropped.map(old => ({ type: SECRETS, id: old, value: null }))
      await rows.write([...changes, { type: SECRETS, id, value: JSON.stringify(found) }])
      secrets.set(id, found)
      for (const old of dropped) secrets.delete(old)
    },
    async open(message, me) {
      const sealed = sealedIn(message)
      const saying = sealed && sayingOf(message)
      if (!sealed || !saying) return null
      const { externalId, author, ...who } = saying
      const by = await authorsOf(message, me, rows)
      let secret = (await load()).get(sealed.id)
      let answer = secret ? decrypted(sealed, secret, by) : null
      if (!answer) {
        // somebody else may have sent a message under the id of our poll
        const own = await secretOfOwn(sealed, me, sent)
        answer = own ? decrypted(sealed, own, by) : null
        secret = own ?? secret
      }
      if (!secret || !answer) return strange(saying, sealed.id, !secret)
      return {
        kind: 'answer',
        ...who,
        ...(author && { author }),
        target: { externalId: sealed.id, fromMe: secret.fromMe },
        answer,
        at: sealed.at ?? who.at,
      }
    },
  }
}

/** The secret of a poll or an event; null where it is not known. */
export async function answerSecretOf(rows: KeyRows, id: string | null | undefined): Promise<Buffer | null> {
  const known = externalIdOf(id)
  const value = (await rows.read(SECRETS, [known])).get(known)
  return value ? Buffer.from((JSON.parse(value) as Secret).key, 'base64') : null
}

/** It changes nothing, and stands in the raw log with the reason. */
const strange = (
  { externalId, chat, at }: { externalId: string; chat: Chat; at: string },
  target: string,
  isUnknown: boolean,
): InboundEvent => ({
  ...{ kind: 'strange', chat, externalId, body: '', at },
  why: isUnknown
    ? `an answer to ${target}, which is not known here`
    : `an answer to ${target} that cannot be decrypted`,
})

function secretIn(message: WAMessage, me: Me): Secret | null {
  const content = unwrapped(message.message)
  const poll = pollContentOf(content)
  if (!poll && !content?.eventMessage) return null
  const info = message.message?.messageContextInfo ?? content?.messageContextInfo
  const key = message.messageSecret ?? info?.messageSecret ?? poll?.encKey
  if (key?.length !== 32) return null
  return {
    key: Buffer.from(key).toString('base64'),
    fromMe: message.key.fromMe === true,
    authors: jidsOf(message, me),
    choices: poll ? hashesOf(poll) : [],
    at: databaseNow(),
  }
}

/** Of a poll that was sent from here; undefined for anything else. */
async function secretOfOwn(
  { to, id }: Sealed,
  me: Owner,
  sent: SessionHost['sent'],
): Promise<Secret | undefined> {
  const content = to === 'poll' ? (await sent(id))?.content : undefined
  if (content?.kind !== 'poll') return undefined
  return {
    key: ownSecret(me, id).toString('base64'),
    fromMe: true,
    authors: [me.lid, me.id].flatMap(jid => (jid ? jidNormalizedUser(jid) : [])),
    choices: content.options.map(choiceHashOf),
    at: databaseNow(),
  }
}

interface Sealed {
  to: GivenAnswer['to']
  /** The message that is answered. */
  id: string
  encPayload: Uint8Array
  encIv: Uint8Array
  at?: string
}

function sealedIn(message: WAMessage): Sealed | null {
  const { pollUpdateMessage: vote, encEventResponseMessage: reply } = unwrapped(message.message) ?? {}
  const [key, box] = vote ? [vote.pollCreationMessageKey, vote.vote] : [reply?.eventCreationMessageKey, reply]
  const id = externalIdOf(key?.id)
  if (!id || !box?.encPayload || !box.encIv) return null
  const ms = vote && countFrom(vote.senderTimestampMs, LAST_MS)
  const { encPayload, encIv } = box
  return {
    ...{ to: vote ? 'poll' : 'event', id, encPayload, encIv },
    ...(ms && { at: new Date(ms).toISOString() }),
  }
}

/** Phones name people by LID or by number, in any combination: the one that opens it is right. */
function decrypted({ to, id, encPayload, encIv }: Sealed, secret: Secret, by: string[]): GivenAnswer | null {
  const key = Buffer.from(secret.key, 'base64')
  for (const creator of secret.authors)
    for (const person of by)
      try {
        const box = { encPayload, encIv }
        if (to === 'event') {
          const whose = { eventCreatorJid: creator, responderJid: person }
          return replyIn(decryptEventResponse(box, { ...whose, eventMsgId: id, eventEncKey: key }))
        }
        const whose = { pollCreatorJid: creator, voterJid: person }
        return voteIn(decryptPollVote(box, { ...whose, pollMsgId: id, pollEncKey: key }), secret)
      } catch {
        // the next pair of addresses
      }
  return null
}

const voteIn = (vote: proto.Message.IPollVoteMessage, { choices }: Secret): GivenAnswer => ({
  to: 'poll',
  choices: choicesOfVote(vote, choices),
})

const { EventResponseType } = proto.Message.EventResponseMessage

/** Whether somebody comes; null for no reply. */
export function replyIn({
  response,
  extraGuestCount,
}: proto.Message.IEventResponseMessage): GivenAnswer | null {
  const reply =
    response === EventResponseType.GOING
      ? 'going'
      : response === EventResponseType.MAYBE
        ? 'maybe'
        : response === EventResponseType.NOT_GOING
          ? 'notGoing'
          : null
  return reply && { to: 'event', reply, guests: countFrom(extraGuestCount, 1_000) ?? 0 }
}

/** The addresses of a message's author, and those that the connection has learnt. */
async function authorsOf(message: WAMessage, me: Me, rows: KeyRows): Promise<string[]> {
  const jids = jidsOf(message, me)
  const [first] = jids
  const chat = first ? chatOf(first) : null
  const { also } = chat ? await completeChat(rows, chat) : {}
  return [...new Set([...jids, ...(also ? [jidOf(also)] : [])])]
}

function jidsOf({ key }: WAMessage, me: Me): string[] {
  const { fromMe, participant, participantAlt, remoteJid, remoteJidAlt } = key
  const given = fromMe
    ? [me.lid, me.id]
    : participant
      ? [participant, participantAlt]
      : [remoteJid, remoteJidAlt]
  return given.flatMap(jid => (jid ? jidNormalizedUser(jid) : []))
}
