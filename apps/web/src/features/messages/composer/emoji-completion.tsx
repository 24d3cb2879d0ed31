import { type RefObject, useState } from 'react'
import { soon } from '../../../ui/soon.tsx'

const EmojiSuggestions = soon(() => import('../../../ui/suggestions/emoji-suggestions.tsx'))

/** A colon at the beginning of a word, and at least two letters: neither a time of day nor a smiley. */
const ASKED = /(?:^|\s):(\p{L}{2,20})$/u

interface Props {
  input: RefObject<HTMLTextAreaElement | null>
  body: string
  /** Where it is written. */
  caret: number
  /** Replaces so many characters before the caret by an emoji. */
  onPick(emoji: string, length: number): void
}

/** Emojis that match `:` and the first letters of a name. */
export function EmojiCompletion({ input, body, caret, onPick }: Props) {
  const words = ASKED.exec(body.slice(0, caret))?.[1]
  const [closed, setClosed] = useState<number | null>(null)
  const from = caret - (words?.length ?? 0)
  // closed for this word only
  if (!words || closed === from) return null
  return (
    <EmojiSuggestions
      input={input}
      words={words}
      onPick={emoji => onPick(emoji, words.length + 1)}
      onClose={() => setClosed(from)}
    />
  )
}
