import { type RefObject, useEffect, useState } from 'react'
import { drafts, useDraft } from '../../../platform/drafts.ts'
import { inserted } from '../../../ui/insertion.ts'
import { caretOf, keepCaret } from './early-keys.ts'

/** The text being written in a ticket, and the caret's position. */
export function useWords(ticketId: number, input: RefObject<HTMLTextAreaElement | null>) {
  const body = useDraft(ticketId)
  const [caret, show] = useState(() => caretOf(ticketId))
  function setCaret(at: number) {
    keepCaret(ticketId, at)
    show(at)
  }
  // a field begins with the caret before its text
  useEffect(() => input.current?.setSelectionRange(caretOf(ticketId), caretOf(ticketId)), [ticketId, input])

  function write(text: string) {
    drafts.keep(ticketId, text)
    setCaret(text.length)
    input.current?.focus()
  }

  /** Replaces the selection and so many characters before it. */
  function insert(text: string, length = 0) {
    const next = inserted(input.current, body, text, length)
    drafts.keep(ticketId, next.text)
    setCaret(next.caret)
  }

  return { body, caret, setCaret, write, insert }
}
