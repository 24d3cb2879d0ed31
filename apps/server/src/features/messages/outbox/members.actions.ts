import { mentionedOf, underNames } from '@balcao/contract/mentions.rules.ts'
import type { MessageInput } from '@balcao/contract/messages.input.ts'
import type { Mentioned } from '../../../driver.content.ts'
import type { Scope, Tx } from '../../../platform/scope.ts'
import { findReadable } from '../../tickets/tickets.queries.ts'
import type { MessageRow } from '../messages.queries.ts'
import type { Part } from './content.rules.ts'
import { membersOf } from './members.queries.ts'

/** Who wrote in the group of a ticket, the latest first; empty for a chat of two. Refuses with ERR_NO_TICKET_FOUND. */
export const listMembers = (scope: Scope, ticketId: number) =>
  scope.list(async tx => {
    const { isGroup, contactId } = await findReadable(tx, ticketId)
    const members = isGroup ? await membersOf(tx, contactId) : []
    return { members: members.map(({ kind: _, ...member }) => member) }
  })

/** The contents of a draft with the members that its text mentions; those who are none of the group are left out. */
export async function mentioning(
  tx: Tx,
  { isGroup, contactId }: { isGroup: boolean; contactId: number },
  { mentions = [], body = '' }: MessageInput,
  parts: Part[],
): Promise<Part[]> {
  const [first, ...others] = parts
  const isText = first && !first.mediaType && !first.dataJson
  if (!isGroup || mentions.length === 0 || !isText) return parts
  const named = mentionedOf(body, await chosenMembers(tx, contactId, mentions))
  return named.length > 0 ? [{ ...first, dataJson: JSON.stringify({ mentions: named }) }, ...others] : parts
}

/** Whom a changed text mentions: those whom it mentioned before, and the members `mentions`, as far as their names stand in it. */
export async function stillMentioned(
  tx: Tx,
  { mediaType, dataJson, contactId }: Pick<MessageRow, 'mediaType' | 'dataJson' | 'contactId'>,
  text: string,
  mentions: string[],
): Promise<Mentioned[]> {
  if (mediaType !== null) return []
  const before = mentionsIn(dataJson)
  const added = mentions.filter(id => !before.some(({ value }) => value === id))
  return mentionedOf(text, [...before, ...(await chosenMembers(tx, contactId, added))])
}

/** Those of a group under these ids, by the names under which a text mentions them. */
async function chosenMembers(tx: Tx, contactId: number, ids: string[]): Promise<Mentioned[]> {
  const members = ids.length > 0 ? underNames(await membersOf(tx, contactId)) : []
  return members.flatMap(({ id, name, kind }) => (ids.includes(id) ? { value: id, kind, name } : []))
}

/** The data of a changed text with its mentions; nothing for a caption. */
export function withMentions(
  { mediaType, dataJson }: Pick<MessageRow, 'mediaType' | 'dataJson'>,
  mentions: Mentioned[] | null,
): { dataJson?: string | null } {
  if (mediaType !== null || (mentions === null && mentionsIn(dataJson).length === 0)) return {}
  const { mentions: _before, ...rest } = JSON.parse(dataJson ?? '{}')
  const data = { ...rest, ...(mentions && { mentions }) }
  return { dataJson: Object.keys(data).length > 0 ? JSON.stringify(data) : null }
}

const mentionsIn = (dataJson: string | null): Mentioned[] =>
  (JSON.parse(dataJson ?? 'null') as { mentions?: Mentioned[] } | null)?.mentions ?? []
