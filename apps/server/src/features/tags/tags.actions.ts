import { type Tag, type TagInput, UNSET_TAG_COLOR } from '@balcao/contract/tags.ts'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import type { Scope } from '../../platform/scope.ts'
import { findUser } from '../users/users.queries.ts'
import { tagChanged } from './tags.events.ts'
import { deleteTag, insertTag, updateTag } from './tags.queries.ts'

/** Adds a tag, of whoever adds it unless said otherwise. Refuses with ERR_NAME_EXISTS, ERR_NO_USER_FOUND. */
export const addTag = (scope: Scope, input: TagInput): Promise<Tag> =>
  orTaken(
    scope.transaction(async tx => {
      if (input.userId) await findUser(tx.sql, tx.companyId, input.userId)
      const made = { color: UNSET_TAG_COLOR, userId: scope.viewer?.id ?? null, ...input }
      const tag = await insertTag(tx, made)
      tx.emit(tagChanged, { action: 'create', tag })
      return tag
    }),
  )

/** Refuses with ERR_NO_TAG_FOUND, ERR_NAME_EXISTS, ERR_NO_USER_FOUND. */
export const changeTag = (scope: Scope, tagId: number, input: Partial<TagInput>): Promise<Tag> =>
  orTaken(
    scope.transaction(async tx => {
      if (input.userId) await findUser(tx.sql, tx.companyId, input.userId)
      const tag = await updateTag(tx, tagId, input)
      tx.emit(tagChanged, { action: 'update', tag })
      return tag
    }),
  )

/** Its tickets lose it with it. Refuses with ERR_NO_TAG_FOUND. */
export const removeTag = (scope: Scope, tagId: number): Promise<void> =>
  scope.transaction(async tx => {
    await deleteTag(tx, tagId)
    tx.emit(tagChanged, { action: 'delete', tagId })
  })

const orTaken = <T>(work: Promise<T>) =>
  work.catch((error: unknown) => {
    if (isUniqueViolation(error, 'tags_name')) return refuse('ERR_NAME_EXISTS', { field: 'name' })
    throw error
  })
