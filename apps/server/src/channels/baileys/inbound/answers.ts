import { createHash } from 'node:crypto'
import type { EventData, PollData } from '@balcao/contract/kinds.ts'
import type { proto } from 'baileys'
import { LAST_SECOND } from '../../../platform/clock.ts'
import { formAnswers, formLines } from '../../form-answers.ts'
import { ofPoll } from './choices.ts'
import { countFrom, lineFrom, textFrom } from './text.ts'

const MAX_DESCRIPTION = 4_096
const MAX_STILL = 49_152

/** A poll without votes. With 0 or more than one selectable option phones let people choose several. */
export const pollFrom = (part: proto.Message.IPollCreationMessage): PollData => ({
  choices: ofPoll(part).choices,
  isMultiple: part.selectableOptionsCount !== 1,
  votes: [],
})

/** The fields of a content that are polls. */
export const POLL_FIELDS = [
  'pollCreationMessage',
  'pollCreationMessageV2',
  'pollCreationMessageV3',
  'pollCreationMessageV5',
] as const

/** The poll in a content; undefined where it is none. */
export const pollContentOf = (
  content: proto.IMessage | undefined,
): proto.Message.IPollCreationMessage | undefined =>
  POLL_FIELDS.map(field => content?.[field]).find(part => part) ?? undefined

/**
 * SHA-256 of each choice of a poll, as votes name them, in the order of the choices that are shown: `pollFrom` leaves out empty
 * labels.
 */
export function hashesOf(poll: proto.Message.IPollCreationMessage): string[] {
  const named = (poll.options ?? []).filter(option => pollFrom({ options: [option] }).choices.length > 0)
  return named.slice(0, pollFrom(poll).choices.length).map(({ optionName }) => choiceHashOf(optionName ?? ''))
}

export const choiceHashOf = (option: string): string => createHash('sha256').update(option).digest('hex')

/** The numbers of the choices that a vote names. */
export function choicesOfVote(
  vote: proto.Message.IPollVoteMessage | null | undefined,
  hashes: string[],
): number[] {
  const chosen = new Set(
    (vote?.selectedOptions ?? []).map(hash => hashes.indexOf(Buffer.from(hash).toString('hex'))),
  )
  return [...chosen].filter(at => at >= 0).sort((a, b) => a - b)
}

/** An event without replies; its name and description are the body too. */
export function eventFrom(part: proto.Message.IEventMessage): { body: string; data: EventData } {
  const name = lineFrom(part.name)
  const description = textFrom(part.description, MAX_DESCRIPTION).trim()
  const place = [part.location?.name, part.location?.address].map(one => lineFrom(one)).filter(Boolean)
  return {
    body: [name, description].filter(Boolean).join('\n'),
    data: {
      ...{ name, description, place: place.join(', ') || lineFrom(part.joinLink) },
      ...{ startsAt: timeFrom(part.startTime), endsAt: timeFrom(part.endTime) },
      ...{ isCanceled: part.isCanceled === true, replies: [] },
    },
  }
}

function timeFrom(seconds: proto.Message.IEventMessage['startTime']): string | null {
  const known = countFrom(seconds, LAST_SECOND)
  return known ? new Date(known * 1_000).toISOString() : null
}

/** A button that was pressed, or a form that was filled in: its answers as lines. */
export function formOf({ body, nativeFlowResponseMessage: flow }: proto.Message.IInteractiveResponseMessage) {
  const json = typeof flow?.paramsJson === 'string' ? flow.paramsJson : '{}'
  const fields = formAnswers(json)
  if (flow?.name === 'quick_reply' || fields.length === 0) {
    const tapId = idIn(json)
    return { body: body?.text || tapId, ...(tapId && { tapId }) }
  }
  return { body: formLines(fields), data: { fields } }
}

function idIn(json: string): string {
  try {
    return lineFrom((JSON.parse(json) as { id?: unknown } | null)?.id)
  } catch {
    return ''
  }
}

/** An animated sticker in the Lottie format, which browsers do not show: its still instead of the file. */
export function stillOf({ isLottie, mimetype, pngThumbnail }: proto.Message.IStickerMessage) {
  if (!isLottie && mimetype !== 'application/was') return null
  const isPng = pngThumbnail && pngThumbnail.length <= MAX_STILL && pngThumbnail[0] === 0x89
  return { mediaType: 'sticker', data: { still: isPng ? Buffer.from(pngThumbnail).toString('base64') : '' } }
}
