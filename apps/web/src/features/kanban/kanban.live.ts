import { type TagChoice, tagChannel } from '@balcao/contract/tags.ts'
import { followList } from '../../platform/lists.ts'
import { queryClient } from '../../platform/query.ts'

export const LANES = ['lanes']

/** Lanes are refetched when one changes; not with every card that is moved, which changes the counts of tags. */
export const followLanes = () =>
  followList(tagChannel, LANES, push => {
    const known = queryClient.getQueryData<TagChoice[]>(LANES)
    if (!known) return true
    if (push.action === 'delete') return known.some(({ id }) => id === push.tagId)
    const { tag } = push
    const before = known.find(({ id }) => id === tag.id)
    if (!before) return tag.kanban === 1
    const facts = ['name', 'color', 'kanban', 'position'] as const
    return facts.some(fact => before[fact] !== tag[fact])
  })
