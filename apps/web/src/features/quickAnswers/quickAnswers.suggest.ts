import type { QuickAnswer } from '@balcao/contract/quickAnswers.ts'
import { useSearchedList } from '../../ui/list-screen/use-list.ts'
import { quickAnswerList } from './quickAnswers.api.ts'

/** What is looked for in a text that begins with `/`; null for any other. */
export const wordsAfterSlash = (text: string) =>
  text.startsWith('/') ? text.slice(1).trim().toLowerCase() : null

/** The quick answers that a text asks for, best first: at once among those known here, then as the server finds them. */
export function useSuggestions(words: string) {
  const list = useSearchedList(quickAnswerList, words)
  const found = list.rows.flatMap(one => (rank(one, words) < NOT ? [one] : []))
  found.sort((a, b) => rank(a, words) - rank(b, words) || byShortcut(a, b))
  return {
    list,
    /** A failed search shows nothing (MSG-027). */
    found: list.isError ? [] : found,
    /** The server has not said yet what it finds. */
    isWaiting: !list.isError && (list.isPending || list.isSearching),
  }
}

const NOT = Number.POSITIVE_INFINITY

/** The earlier the words stand in the shortcut the better; after all shortcuts, those that only say them. */
function rank({ shortcut, message }: QuickAnswer, words: string): number {
  const at = shortcut.toLowerCase().indexOf(words)
  if (at >= 0) return at
  return message.toLowerCase().includes(words) ? Number.MAX_SAFE_INTEGER : NOT
}

const byShortcut = (a: QuickAnswer, b: QuickAnswer) => a.shortcut.localeCompare(b.shortcut)
