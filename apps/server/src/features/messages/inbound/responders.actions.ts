import { event, within } from '../../../platform/events.ts'
import type { Tx } from '../../../platform/scope.ts'
import type { ReceivedMessage } from '../messages.events.ts'

/** Returns false to leave the message to the next responder. */
type Answer = (tx: Tx, received: ReceivedMessage) => Promise<boolean>

interface Responder {
  name: string
  answer: Answer
}

const respondersAsked = event<{ responders: Responder[] }>('customer.responders')

/** Registers a responder to messages of customers; the order is that of features.ts. */
export const responds = (name: string, answer: Answer) =>
  within(respondersAsked, async (_tx, { responders }) => {
    responders.push({ name, answer })
  })

/**
 * Asks the responders one after the other, in the commit that inserts the message. Returns the name of the one that answered;
 * null: the connection greets.
 */
export async function respond(tx: Tx, received: ReceivedMessage): Promise<string | null> {
  const responders: Responder[] = []
  await tx.involve(respondersAsked, { responders })
  for (const { name, answer } of responders) if (await answer(tx, received)) return name
  return null
}
