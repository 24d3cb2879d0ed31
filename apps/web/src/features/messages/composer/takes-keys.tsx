import { useEffect } from 'react'
import { takesKeys } from './early-keys.ts'

/** Stands beside what is drawn for a ticket, or instead of it: before it is there, keys are kept for the ticket's draft. */
export function TakesKeys({ ticketId }: { ticketId: number }) {
  useEffect(() => takesKeys(ticketId), [ticketId])
  return null
}
