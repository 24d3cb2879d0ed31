import { type Tag, type TagChoice, type TagInput, UNSET_TAG_COLOR } from '@balcao/contract/tags.ts'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { refuseUsed } from '../../platform/uses.ts'
import { findUser } from '../users/users.queries.ts'
import { tagChanged, tagMerging } from './tags.events.ts'
import {
  deleteTag,
  findTag,
  insertTag,
  laneTags,
  lockLanes,
  lockTag,
  placeLanes,
  selectTags,
  tagNamed,
  updateTag,
} from './tags.queries.ts'

/** Adds a tag, of the caller where no user is given. Refuses with ERR_NAME_EXISTS, ERR_NO_USER_FOUND. */
export const addTag = (scope: Scope, input: TagInput): Promise<Tag> =>
  orNameExists(
    scope,
    input.name,
    scope.transaction(async tx => {
      if (input.userId) await findUser(tx.sql, tx.companyId, input.userId)
      const fields = { color: UNSET_TAG_COLOR, ...input, userId: input.userId ?? scope.viewer?.id ?? null }
      const tag = await insertTag(tx, fields)
      tx.emit(tagChanged, { action: 'create', tag })
      return tag
    }),
  )

/** Refuses with ERR_NO_TAG_FOUND, ERR_NAME_EXISTS, ERR_NO_USER_FOUND. */
export const changeTag = (scope: Scope, tagId: number, input: Partial<TagInput>): Promise<Tag> =>
  orNameExists(
    scope,
    input.name,
    scope.transaction(async tx => {
      if (input.userId) await findUser(tx.sql, tx.companyId, input.userId)
      const tag = await updateTag(tx, tagId, input)
      tx.emit(tagChanged, { action: 'update', tag })
      return tag
    }),
  )

/** Puts lanes in this order; others follow as they were. Refuses with ERR_NO_TAG_FOUND for what is no lane. */
export const orderLanes = (scope: Scope, tagIds: number[]): Promise<TagChoice[]> =>
  scope.transaction(async tx => {
    await lockLanes(tx)
    const before = (await laneTags(tx)).map(({ id }) => id)
    const wanted = [...new Set(tagIds)]
    if (wanted.some(id => !before.includes(id))) refuse('ERR_NO_TAG_FOUND', { field: 'tagIds' })
    const changed = await placeLanes(tx, [...wanted, ...before.filter(id => !wanted.includes(id))])
    for (const tag of await selectTags(tx, changed)) tx.emit(tagChanged, { action: 'update', tag })
    return laneTags(tx)
  })

/** Merges a tag into another, which its tickets get. Refuses with ERR_NO_TAG_FOUND, ERR_BAD_REQUEST. */
export const mergeTag = (scope: Scope, tagId: number, into: number): Promise<Tag> =>
  scope.transaction(async tx => {
    // in the order of ids: concurrent merges cannot deadlock
    for (const id of [tagId, into].toSorted((a, b) => a - b)) await lockTag(tx, id)
    if (tagId === into) return refuse('ERR_BAD_REQUEST', { field: 'into' })
    await tx.involve(tagMerging, { tagId, into })
    await remove(tx, tagId)
    const tag = await findTag(tx, into)
    tx.emit(tagChanged, { action: 'update', tag })
    return tag
  })

/** Deletes a tag, also of its tickets. Refuses with ERR_NO_TAG_FOUND, ERR_USED_BY_BOTS. */
export const removeTag = (scope: Scope, tagId: number, evenIfUsed: boolean): Promise<void> =>
  scope.transaction(async tx => {
    await refuseUsed(tx, 'tag', tagId, evenIfUsed)
    await remove(tx, tagId)
  })

async function remove(tx: Tx, tagId: number) {
  await deleteTag(tx, tagId)
  tx.emit(tagChanged, { action: 'delete', tagId })
}

const orNameExists = <T>(scope: Scope, name: string | undefined, work: Promise<T>) =>
  work.catch(async (error: unknown) => {
    if (!isUniqueViolation(error, 'tags_name')) throw error
    const tagId = await scope.read(tx => tagNamed(tx, name!))
    return refuse('ERR_NAME_EXISTS', { field: 'name', details: { tagId } })
  })
