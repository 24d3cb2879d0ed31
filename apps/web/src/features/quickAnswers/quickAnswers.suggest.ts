import type { QuickAnswer } from '@balcao/contract/quickAnswers.ts'
import { folded } from '@balcao/contract/words.rules.ts'
import { useSearchedList } from '../../ui/list-screen/use-list.ts'
import { quickAnswerList } from './quickAnswers.api.ts'

/** The search text of a text that begins with `/`; null for any other. */
export const wordsAfterSlash = (text: string) => (text.startsWith('/') ? folded(text.slice(1).trim()) : null)

/**
 * Quick answers that match a text, best first: at once the cached ones, then those the server finds. Of one shortcut the
 * own comes first, then that of this queue, then the company’s.
 */
export function useSuggestions(words: string, queueId: number | null | undefined) {
  const list = useSearchedList(quickAnswerList, words)
  const distance = (one: QuickAnswer) =>
    one.userId ? 0 : one.queueId ? (one.queueId === queueId ? 1 : 3) : 2
  const found = list.rows.flatMap(one => (rank(one, words) < NOT ? [one] : []))
  found.sort((a, b) => rank(a, words) - rank(b, words) || byShortcut(a, b) || distance(a) - distance(b))
  return {
    list,
    /** A failed search shows nothing (MSG-027). */
    found: list.isError ? [] : found,
    /** The server has not answered yet. */
    isWaiting: !list.isError && (list.isPending || list.isSearching),
  }
}

const NOT = Number.POSITIVE_INFINITY

/** Rank by the position of the match in the shortcut; matches in the message only come after all of them. */
function rank({ shortcut, message }: QuickAnswer, words: string): number {
  const at = folded(shortcut).indexOf(words)
  if (at >= 0) return at
  return folded(message).includes(words) ? Number.MAX_SAFE_INTEGER : NOT
}

const byShortcut = (a: QuickAnswer, b: QuickAnswer) => a.shortcut.localeCompare(b.shortcut)
