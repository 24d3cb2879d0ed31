import {
  eventIn,
  groupInviteIn,
  orderIn,
  paymentIn,
  pollIn,
  productIn,
} from '@balcao/contract/kinds.rules.ts'
import type { PollData } from '@balcao/contract/kinds.ts'
import { formIn } from '@balcao/contract/media.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { EventCard } from './event-card.tsx'
import { FormCard } from './form-card.tsx'
import { useMediaText } from './media.text.ts'
import { InviteCard, ProductCard } from './offer-cards.tsx'
import { OrderCard } from './order-card.tsx'
import { PaymentCard } from './payment-card.tsx'
import { PollCard } from './poll-card.tsx'
import { briefly } from './words.ts'

/** Kinds that are rare: loaded when the first of them is shown. */
export default function Cards({ message }: { message: Message }) {
  const { mediaType } = message
  const poll = mediaType === 'poll' ? pollIn(message) : null
  if (poll) return <PollCard question={message.body} poll={named(poll, message)} />
  const event = mediaType === 'event' ? eventIn(message) : null
  if (event) return <EventCard event={event} />
  const order = mediaType === 'order' ? orderIn(message) : null
  if (order) return <OrderCard order={order} note={order.note ?? message.body} />
  const payment = mediaType === 'payment' ? paymentIn(message) : null
  if (payment) return <PaymentCard payment={payment} />
  const product = mediaType === 'productMessage' ? productIn(message) : null
  if (product) return <ProductCard product={product} />
  const invite = mediaType === 'groupInviteMessage' ? groupInviteIn(message) : null
  if (invite) return <InviteCard invite={invite} />
  const fields = mediaType === null ? formIn(message) : null
  return fields ? <FormCard fields={fields} /> : message.body || briefly(message)
}

/** The company's own vote, and that of a chat of two, may come without a name. */
const named = (poll: PollData, { contact }: Message): PollData => {
  const others: Record<string, string> = { me: useMediaText.read('team'), contact: contact.name }
  return { ...poll, votes: poll.votes.map(vote => ({ ...vote, name: vote.name || (others[vote.by] ?? '') })) }
}
