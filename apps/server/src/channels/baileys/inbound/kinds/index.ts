import { audioKind } from './audio.ts'
import { buttonsKind, listKind } from './buttons.ts'
import { cardsKind } from './cards.ts'
import { documentKind } from './document.ts'
import { eventKind } from './event.ts'
import { groupInviteKind } from './group-invite.ts'
import { imageKind } from './image.ts'
import { interactiveKind } from './interactive.ts'
import type { Field, Kind } from './kind.ts'
import { maskedKind } from './masked.ts'
import { orderKind } from './order.ts'
import {
  invoiceKind,
  paymentCanceledKind,
  paymentDeclinedKind,
  paymentInviteKind,
  paymentRequestKind,
  paymentSentKind,
} from './payment.ts'
import { pinKind } from './pin.ts'
import { livePlaceKind, placeKind } from './place.ts'
import { pollKind } from './poll.ts'
import { productKind } from './product.ts'
import { roundVideoKind } from './round-video.ts'
import { stickerKind } from './sticker.ts'
import { flowAnswerKind, pickedRowKind, tapsKind } from './taps.ts'
import { structuredKind, templateKind } from './template.ts'
import { textKind } from './text.ts'
import { videoKind } from './video.ts'

/** Every kind that is read; a message of another one is kept under the name of its field, without a body. */
export const KINDS: readonly Kind[] = [
  ...[
    textKind,
    imageKind,
    videoKind,
    roundVideoKind,
    audioKind,
    documentKind,
    stickerKind,
    placeKind,
    livePlaceKind,
    cardsKind,
  ],
  ...[
    pollKind,
    eventKind,
    buttonsKind,
    listKind,
    templateKind,
    interactiveKind,
    tapsKind,
    pickedRowKind,
    flowAnswerKind,
  ],
  ...[
    paymentRequestKind,
    paymentSentKind,
    paymentDeclinedKind,
    paymentCanceledKind,
    paymentInviteKind,
    invoiceKind,
  ],
  ...[productKind, orderKind, structuredKind, groupInviteKind, pinKind, maskedKind],
]

const byField = new Map<Field, Kind>(KINDS.flatMap(kind => kind.fields.map(field => [field, kind] as const)))

/** The kind of message that is in a field; undefined where none is read from it. */
export const kindIn = (field: Field): Kind | undefined => byField.get(field)
