import type { ChannelSession } from '../driver.ts'
import {
  type NumberCheck,
  type NumberChecked,
  numberCheckedTopic,
  numberCheckTopic,
} from '../features/connections/connections.events.ts'
import { findChat } from '../features/contacts/contacts.queries.ts'
import {
  type ReadNotice,
  readTopic,
  type TypeNotice,
  typeTopic,
} from '../features/messages/messages.events.ts'
import type { ChannelConnection } from './connection.ts'

/** Passes on to the network what may be lost: read receipts, typing, and queries for numbers. Answers the ends of the subscriptions. */
export function listenToNotices(connection: ChannelConnection): (() => void)[] {
  const { scope, whatsappId, log } = connection
  const { signals } = connection.platform
  async function inChat(
    contactId: number,
    notify: (
      session: ChannelSession,
      chat: NonNullable<Awaited<ReturnType<typeof findChat>>>,
    ) => Promise<void>,
  ) {
    const chat = await scope.read(tx => findChat(tx, contactId))
    const session = connection.session
    if (chat && session?.ready())
      await notify(session, chat).catch(error => log.warn({ err: error }, 'a notice was not sent'))
  }
  return [
    signals.listen(readTopic(whatsappId), notice => {
      const { contactId, messages } = notice as ReadNotice
      const read = messages.map(({ externalId, author }) => ({
        externalId,
        fromMe: false,
        ...(author && { author: { kind: author.kind, value: author.value } }),
      }))
      return inChat(contactId, (session, chat) => session.markRead(chat, read))
    }),
    signals.listen(typeTopic(whatsappId), notice => {
      const { contactId, state } = notice as TypeNotice
      return inChat(contactId, (session, chat) => session.type(chat, state))
    }),
    signals.listen(numberCheckTopic(whatsappId), check => {
      const session = connection.session
      if (!session) return
      const { question, number } = check as NumberCheck
      return find(session, number)
        .catch((error: unknown): NumberChecked => {
          log.warn({ err: error }, 'WhatsApp did not answer whether a number exists')
          return { number: null, failed: true }
        })
        .then(answer => signals.notify(numberCheckedTopic(question), answer))
    }),
  ]
}

async function find(session: ChannelSession, number: string): Promise<NumberChecked> {
  if (!session.find || !session.ready()) return { number: null, failed: true }
  return { number: await session.find(number), failed: false }
}
