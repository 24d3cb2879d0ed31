import { z } from 'zod'
import { bit, channel, EvenIfUsed, id, listChannel, page, pageQuery, route } from './kit.ts'

export const Tag = z.object({
  id: z.int(),
  name: z.string(),
  /** Hex text. */
  color: z.string(),
  /** 1: a lane of the board. */
  kanban: z.union([z.literal(0), z.literal(1)]),
  /** Of its lane on the board; null: after those with one, by name. */
  position: z.int().nullable(),
  /** Creator; null when the user was deleted. */
  userId: z.int().nullable(),
  /** Of the whole company, whatever their status. */
  ticketsCount: z.int(),
})
export type Tag = z.infer<typeof Tag>

/** As the pickers need it. */
export const TagChoice = Tag.omit({ ticketsCount: true })
export type TagChoice = z.infer<typeof TagChoice>

/** Default color of a tag. */
export const UNSET_TAG_COLOR = '#7c7c7c'

const hex = z
  .string()
  .trim()
  .regex(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i, 'A colour such as #1273de')

export const TagInput = z.object({
  name: z
    .string({ error: 'Required' })
    .trim()
    .min(1, 'Required')
    .min(3, 'Mensagem muito curta')
    .max(50, 'Too Long!'),
  color: hex.optional(),
  kanban: bit.optional(),
  /** As listed; null without an owner. */
  userId: id.nullish(),
})
export type TagInput = z.infer<typeof TagInput>

const tagId = z.object({ tagId: id })

export const tags = {
  list: route('GET', '/tags', {
    needs: 'session',
    summary: 'Tags of the company by name, a page at a time.',
    query: pageQuery,
    reply: page('tags', Tag),
  }),
  all: route('GET', '/tags/list', {
    needs: 'session',
    summary: 'Every tag of the company by name, for pickers.',
    reply: z.array(TagChoice),
  }),
  show: route('GET', '/tags/:tagId', {
    needs: 'session',
    summary: 'One tag.',
    params: tagId,
    reply: Tag,
  }),
  create: route('POST', '/tags', {
    needs: 'session',
    summary: 'Adds a tag; its name is unique in the company, whatever its case.',
    body: TagInput,
    reply: Tag,
  }),
  change: route('PUT', '/tags/:tagId', {
    edits: '/tags/:tagId',
    needs: 'session',
    summary:
      'Changes a tag, on all its tickets. Where the name is another’s, ERR_NAME_EXISTS names that one in details.tagId.',
    params: tagId,
    body: TagInput.partial(),
    reply: Tag,
  }),
  merge: route('POST', '/tags/:tagId/merge', {
    needs: 'shared:delete',
    summary: 'Moves the tickets of a tag into another and deletes the first.',
    params: tagId,
    body: z.object({ into: id }),
    reply: Tag,
  }),
  remove: route('DELETE', '/tags/:tagId', {
    needs: 'shared:delete',
    summary:
      'Deletes a tag; its tickets stay, without it. ERR_USED_BY_BOTS with their names where bots use it, unless `evenIfUsed`.',
    params: tagId,
    query: EvenIfUsed,
  }),
}

export const tagChannel = listChannel('tag', Tag)

/** The same news under the name that the documents give it; to everyone of the company (OP-37). */
export const tagUserChannel = channel('user', tagChannel.payload)
