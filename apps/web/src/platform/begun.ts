import { ownStore } from './person.ts'
import { useStore } from './store.ts'

/** What is begun in the composer of a ticket besides its text: its row in a list shows it. */
export interface BegunParts {
  files: number
  isRecorded: boolean
  isAnswer: boolean
}

export const begun = ownStore<ReadonlyMap<number, BegunParts>>(new Map())

export const useBegun = (ticketId: number): BegunParts | undefined =>
  useStore(begun, all => all.get(ticketId))
