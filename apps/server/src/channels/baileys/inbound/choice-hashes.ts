import { createHash } from 'node:crypto'
import type { proto } from 'baileys'
import { pollFrom } from './answers.ts'

/** The poll in a content; undefined where it is none. */
export const pollContentOf = (
  content: proto.IMessage | undefined,
): proto.Message.IPollCreationMessage | undefined =>
  content?.pollCreationMessage ??
  content?.pollCreationMessageV2 ??
  content?.pollCreationMessageV3 ??
  content?.pollCreationMessageV5 ??
  undefined

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
