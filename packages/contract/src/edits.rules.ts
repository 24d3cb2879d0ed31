/** Fields of a record as the writer of a change read them. */
export type Seen = Record<string, unknown>

/**
 * The fields that are no longer as their writer saw them. What was changed to the written value by somebody else does
 * not count, nor what an object holds beside the fields that were seen of it.
 */
export const changedSince = (seen: Seen, current: Seen, written: Seen): string[] =>
  Object.keys(seen).filter(
    name => !isLike(seen[name], current[name]) && !(name in written && isLike(written[name], current[name])),
  )

/** The same value, or an object that has at least the fields of the pattern; nothing and an empty text are the same. */
function isLike(pattern: unknown, value: unknown): boolean {
  if (Array.isArray(pattern) && Array.isArray(value))
    return pattern.length === value.length && pattern.every((one, at) => isLike(one, value[at]))
  if (isObject(pattern) && isObject(value))
    return Object.keys(pattern).every(name => isLike(pattern[name], value[name]))
  return (pattern ?? '') === (value ?? '')
}

const isObject = (value: unknown): value is Seen => typeof value === 'object' && value !== null
