import type { proto } from 'baileys'
import { MAX_CHOICES, ofInteractive } from '../choices.ts'
import { offered } from './buttons.ts'
import { headed } from './files.ts'
import { type KindReading, kindOf } from './kind.ts'
import { paymentOnButton } from './payment.ts'

const MOST_CARDS = 10

export const interactiveKind = kindOf(
  ['interactiveMessage'],
  {
    name: 'interactive message, carousel',
    bubble: 'the text, that of each card, and the buttons below; a Pix key or a payment as such',
    words: 'the texts; of a payment its note, key, items and total',
  },
  interactiveRead,
)

/** Text and buttons, also those of the cards of a carousel; or the payment that a button is about. */
export function interactiveRead(part: proto.Message.IInteractiveMessage): KindReading {
  const cards = (part.carouselMessage?.cards ?? []).filter((_, at) => at < MOST_CARDS)
  const offers = [part, ...cards].map(ofInteractive)
  for (const { nativeFlowMessage } of [part, ...cards])
    for (const button of nativeFlowMessage?.buttons ?? []) {
      const payment = paymentOnButton(button, offers[0]?.body ?? '')
      if (payment) return payment
    }
  const body = offers.flatMap(({ body }) => body || []).join('\n\n')
  const choices = offers.flatMap(({ choices }) => choices).slice(0, MAX_CHOICES)
  return { ...headed(part.header), ...offered({ body, choices }) }
}
