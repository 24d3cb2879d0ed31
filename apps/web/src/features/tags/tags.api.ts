import type { Seen } from '@balcao/contract/edits.rules.ts'
import { type TagChoice, type TagInput, tags } from '@balcao/contract/tags.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { oneRow, pagedList } from '../../platform/lists.ts'
import { askAgain } from '../../platform/query.ts'
import { swatches } from '../../ui/swatches.ts'
import { TAGS } from './tags.live.ts'

const byWords = pagedList(tags.list, 'tags')
/** The search text is sent in lower case (TAG-007). */
export const tagList: typeof byWords = searchParam => byWords(searchParam.toLowerCase())

export const oneTag = oneRow('tags', tagId => call(tags.show, { params: { tagId } }))

export const tagChoices = queryOptions({ queryKey: [...TAGS, 'choices'], queryFn: () => call(tags.all) })

export async function saveTag(
  tagId: number | null,
  body: TagInput,
  changed: Partial<TagInput>,
  seen?: Seen,
): Promise<void> {
  await (tagId === null
    ? call(tags.create, { body })
    : call(tags.change, { params: { tagId }, body: changed, seen }))
  await askAgain({ queryKey: TAGS })
}

/** Adds a tag in the least used colour. Throws ApiError. */
export async function createTag(name: string, others: TagChoice[]): Promise<number> {
  const uses = (color: string) => others.filter(tag => tag.color.toLowerCase() === color).length
  const [color] = Object.values(swatches).toSorted((a, b) => uses(a) - uses(b))
  const { id } = await call(tags.create, { body: { name, color } })
  await askAgain({ queryKey: TAGS })
  return id
}

/** Throws ApiError. */
export async function mergeTag(tagId: number, into: number): Promise<void> {
  await call(tags.merge, { params: { tagId }, body: { into } })
  await askAgain({ queryKey: TAGS })
}

/** Throws ApiError. */
export async function removeTag(tagId: number, evenIfUsed: boolean): Promise<void> {
  await call(tags.remove, { params: { tagId }, query: { evenIfUsed } })
  await askAgain({ queryKey: TAGS })
}

/** The tags of a ticket are these. Throws ApiError. */
export const syncTags = (ticketId: number, tagIds: number[]) =>
  call(tickets.syncTags, { body: { ticketId, tags: tagIds } })
