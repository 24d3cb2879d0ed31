import type { proto } from 'baileys'
import { pin, type Reply, reply, type Sides, sealChange, timer, vote } from './answers.ts'
import { type MessageKey, revoke } from './contents.ts'
import { type Addressing, jidOf } from './directory.ts'
import type { PhoneInbox } from './phone-inbox.ts'
import type { PhoneLine } from './phone-line.ts'
import type { PhoneOutbox } from './phone-outbox.ts'

/** Under which addresses the key is derived: the author's of what is answered, and the answering phone's. */
type Names = [author: Addressing, by: Addressing]

/** What a phone does about messages beside writing. Each resolves with the id of what it sends. */
export interface PhoneAnswers {
  /** Votes in a poll with these labels; none withdraw the vote. */
  vote(to: string, id: string, labels: string[], names?: Names): Promise<string>
  /** Says whether it comes to an event. */
  reply(to: string, id: string, answer: Reply, options?: { guests?: number; names?: Names }): Promise<string>
  /** Reacts as in a community: encrypted. */
  react(to: string, id: string, emoji: string, names?: Names): Promise<string>
  /** Comments as in a community: encrypted. */
  comment(to: string, id: string, body: string): Promise<string>
  /** Changes an own event, or cancels it. */
  changeEvent(to: string, id: string, event: proto.Message.IEventMessage): Promise<string>
  /** Pins a message for everyone, or takes the pin off. */
  pin(to: string, id: string, isPinned?: boolean): Promise<string>
  /** Lets messages of the chat disappear after some seconds; 0 for never. */
  setTimer(to: string, seconds: number): Promise<string>
  /** Deletes for everyone what another wrote, as an admin of a group does, and anybody's changed client may try. */
  revoke(to: string, id: string): Promise<string>
}

interface Parts {
  outbox: PhoneOutbox
  inbox: PhoneInbox
  key(to: string, id: string): MessageKey
}

export function phoneAnswers(line: PhoneLine, { outbox, inbox, key }: Parts): PhoneAnswers {
  const answered = (id: string): proto.IMessage =>
    inbox.find(id)?.message ?? outbox.sent.get(id)?.message ?? {}
  const sides = (id: string, names?: Names): Sides => {
    const [ofAuthor, own] = names ?? [line.addressing, line.addressing]
    const message = inbox.find(id)
    const author = message ? line.peer(message.from) : line.account
    return { author: jidOf(author, ofAuthor), by: jidOf(line.account, own) }
  }
  const change = (
    use: Parameters<typeof sealChange>[0],
    to: string,
    id: string,
    plain: proto.IMessage,
    names?: Names,
  ) => {
    const about = { key: key(to, id), about: answered(id), sides: sides(id, names) }
    return outbox.send(to, sealChange(use, about, plain), {})
  }
  return {
    vote: (to, id, labels, names) =>
      outbox.send(to, vote(key(to, id), answered(id), labels, sides(id, names)), {}),
    reply(to, id, answer, { guests = 0, names } = {}) {
      return outbox.send(to, reply(key(to, id), answered(id), answer, { ...sides(id, names), guests }), {})
    },
    react: (to, id, text, names) => change('Enc Reaction', to, id, { reactionMessage: { text } }, names),
    comment: (to, id, conversation) => change('Enc Comment', to, id, { conversation }),
    changeEvent: (to, id, eventMessage) => change('Event Edit', to, id, { eventMessage }),
    pin: (to, id, isPinned = true) => outbox.send(to, pin(key(to, id), isPinned), {}),
    setTimer: (to, seconds) => outbox.send(to, timer(seconds), {}),
    revoke: (to, id) => outbox.send(to, revoke(key(to, id)), {}, { edit: '8' }),
  }
}
