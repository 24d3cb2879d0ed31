import { cardsKind } from './cards.ts'
import { fileKind } from './file.ts'
import type { SentKind, SentName } from './kind.ts'
import { placeKind } from './place.ts'
import { pollKind } from './poll.ts'
import { textKind } from './text.ts'
import { choicesKind, templateKind } from './unsendable.ts'

/** How each content is sent. */
export const SENT_KINDS: Record<SentName, SentKind> = {
  text: textKind,
  file: fileKind,
  location: placeKind,
  contacts: cardsKind,
  poll: pollKind,
  choices: choicesKind,
  template: templateKind,
}
