import { type RefObject, useEffect, useState } from 'react'
import { drafts, useDraft } from '../../../platform/drafts.ts'
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
    const { selectionStart = body.length, selectionEnd: to = body.length } = input.current ?? {}
    const from = selectionStart - length
    drafts.keep(ticketId, body.slice(0, from) + text + body.slice(to))
    const after = from + text.length
    setCaret(after)
    requestAnimationFrame(() => input.current?.setSelectionRange(after, after))
  }

  return { body, caret, setCaret, write, insert }
}
