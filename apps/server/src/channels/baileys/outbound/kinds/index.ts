import { sentCards } from './cards.ts'
import { sentFile } from './file.ts'
import type { SentKind, SentName } from './kind.ts'
import { sentPlace } from './place.ts'
import { sentPoll } from './poll.ts'
import { sentText } from './text.ts'
import { choicesKind, sentTemplate } from './unsendable.ts'

/** How each content is sent. */
export const SENT_KINDS: Record<SentName, SentKind> = {
  text: sentText,
  file: sentFile,
  location: sentPlace,
  contacts: sentCards,
  poll: sentPoll,
  choices: choicesKind,
  template: sentTemplate,
}
