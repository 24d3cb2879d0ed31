import { type RefObject, useState } from 'react'
import { soon } from '../../../ui/soon.tsx'

const MemberSuggestions = soon(() => import('./member-suggestions.tsx'))

/** An `@` at the beginning of a word, and the first letters of a name. */
const ASKED = /(?:^|\s)@([\p{L}\p{N}+]{0,30})$/u

interface Props {
  ticketId: number
  input: RefObject<HTMLTextAreaElement | null>
  body: string
  /** Where it is written. */
  caret: number
  /** Replaces so many characters before the caret. */
  onPick(text: string, length: number): void
}

/** Members of the group, above the field, where an `@` is written. */
export function MemberCompletion({ ticketId, input, body, caret, onPick }: Props) {
  const words = ASKED.exec(body.slice(0, caret))?.[1]
  const [closed, setClosed] = useState<number | null>(null)
  const from = caret - (words?.length ?? 0)
  // closed for this word only
  if (words === undefined || closed === from) return null
  return (
    <MemberSuggestions
      ticketId={ticketId}
      input={input}
      words={words}
      onPick={name => onPick(`${name} `, words.length)}
      onClose={() => setClosed(from)}
    />
  )
}
