import { audio } from './audio.ts'
import { buttons, list } from './buttons.ts'
import { cards } from './cards.ts'
import { document } from './document.ts'
import { event } from './event.ts'
import { groupInvite } from './group-invite.ts'
import { image } from './image.ts'
import { interactive } from './interactive.ts'
import type { Field, Kind } from './kind.ts'
import { masked } from './masked.ts'
import { order } from './order.ts'
import {
  invoice,
  paymentCanceled,
  paymentDeclined,
  paymentInvite,
  paymentRequest,
  paymentSent,
} from './payment.ts'
import { pin } from './pin.ts'
import { livePlace, place } from './place.ts'
import { poll } from './poll.ts'
import { product } from './product.ts'
import { roundVideo } from './round-video.ts'
import { sticker } from './sticker.ts'
import { flowAnswer, pickedRow, taps } from './taps.ts'
import { structured, template } from './template.ts'
import { text } from './text.ts'
import { video } from './video.ts'

/** Every kind that is read; a message of another one is kept under the name of its field, without a body. */
export const KINDS: readonly Kind[] = [
  ...[text, image, video, roundVideo, audio, document, sticker, place, livePlace, cards],
  ...[poll, event, buttons, list, template, interactive, taps, pickedRow, flowAnswer],
  ...[paymentRequest, paymentSent, paymentDeclined, paymentCanceled, paymentInvite, invoice],
  ...[product, order, structured, groupInvite, pin, masked],
]

const byField = new Map<Field, Kind>(KINDS.flatMap(kind => kind.fields.map(field => [field, kind] as const)))

/** The kind of message that is in a field; undefined where none is read from it. */
export const kindIn = (field: Field): Kind | undefined => byField.get(field)
