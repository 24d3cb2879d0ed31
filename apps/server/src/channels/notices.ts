import type { Logger } from 'pino'
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
import type { Platform } from '../platform/app.ts'
import type { Scope } from '../platform/scope.ts'

interface Listening {
  signals: Platform['signals']
  scope: Scope
  whatsappId: number
  log: Logger
}

/** Passes on to the network what may be lost: read receipts, typing, and queries for numbers. Answers the ends of the subscriptions. */
export function listenToNotices(
  { signals, scope, whatsappId, log }: Listening,
  current: () => ChannelSession | null,
): (() => void)[] {
  async function inChat(
    contactId: number,
    notify: (
      session: ChannelSession,
      chat: NonNullable<Awaited<ReturnType<typeof findChat>>>,
    ) => Promise<void>,
  ) {
    const chat = await scope.read(tx => findChat(tx, contactId))
    const session = current()
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
      const session = current()
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
