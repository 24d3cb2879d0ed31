import type { Seen } from '@balcao/contract/edits.rules.ts'
import { ApiError } from '../../platform/call.ts'

/** What somebody else changed while a form was open. */
export interface Conflict {
  /** The row as it is now. */
  current: Seen
  /** Who saved it; null where that is not known any more. */
  by: string | null
  fields: { name: string; label: string; theirs: string; isPlain: boolean }[]
}

/**
 * The fields of a form as its row has them; of rows within the row only what the form has. `current`: the row as it is now,
 * where it is saved over.
 */
export const seenOf = (row: object, initial: Record<string, unknown>, current: Seen = {}): Seen =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => name in initial)
      .map(([name, value]) => {
        if (name in current) return [name, inForm(current[name], initial[name])]
        return [name, holdsObjects(initial[name]) ? initial[name] : inForm(value, initial[name])]
      }),
  )

/** Of rows that the form has as ids only these: what else they hold changes beside the form. */
function inForm(value: unknown, initial: unknown): unknown {
  if (!Array.isArray(value) || !Array.isArray(initial) || holdsObjects(initial)) return value
  return value.map((one: unknown) => (hasId(one) ? { id: one.id } : one))
}

const hasId = (value: unknown): value is { id: unknown } =>
  typeof value === 'object' && value !== null && 'id' in value

const holdsObjects = (value: unknown) => Array.isArray(value) && typeof value[0] === 'object'

/** What a refusal says about the row, in the words of the form's labels or of `labels`; null for any other error. */
export function conflictOf(
  error: unknown,
  form: HTMLFormElement | null,
  labels: Record<string, string> = {},
): Conflict | null {
  if (!(error instanceof ApiError) || error.code !== 'ERR_CHANGED_MEANWHILE' || !error.details) return null
  const { changed, current, by } = error.details as {
    changed: string[]
    current: Seen
    by?: { name: string } | null
  }
  return {
    current,
    by: by?.name ?? null,
    fields: changed.map(name => ({
      name,
      label: labels[name] ?? labelIn(form, name),
      ...shown(current[name]),
    })),
  }
}

function labelIn(form: HTMLFormElement | null, name: string): string {
  const field = form?.querySelector<HTMLInputElement>(`[data-path="${name}"]`)
  const label = field?.labels?.[0] ?? field?.closest('[role=group]')?.querySelector('label')
  return label?.textContent?.replace(/\*$/, '').trimEnd() || name
}

function shown(value: unknown) {
  const isPlain = value === null || typeof value === 'string' || typeof value === 'number'
  return { isPlain, theirs: isPlain ? String(value ?? '') : '' }
}

/** What was written in a form, without what the other one changed. */
export const ownOf = (values: object, { fields }: Conflict) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => fields.every(field => field.name !== name)))

/** The texts in a form, one below the other, without its secrets. */
export const wordsIn = (values: object): string =>
  Object.entries(values)
    .filter(
      ([name, value]) => typeof value === 'string' && value.trim() !== '' && !/password|token/i.test(name),
    )
    .map(([, value]) => value)
    .join('\n')
