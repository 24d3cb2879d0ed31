import type { User } from '@balcao/contract/users.ts'
import type { OperatorVisit } from '@balcao/contract/visits.ts'

const KEPT = 'visit'

/** A look into another company, in this tab alone: who one is there, and the token that it is read with. */
export interface Visiting {
  token: string
  user: User
  visit: OperatorVisit
}

let current = read()

function read(): Visiting | null {
  const kept = JSON.parse(globalThis.sessionStorage?.getItem(KEPT) ?? 'null') as Visiting | null
  if (!kept || Date.parse(kept.visit.endsAt) > Date.now()) return kept
  sessionStorage.removeItem(KEPT)
  return null
}

/** A visit begins and ends with a page of its own, so that nothing of one company stands on a screen of the other. */
export const visiting = {
  now: () => current,
  begin(next: Visiting) {
    sessionStorage.setItem(KEPT, JSON.stringify(next))
    location.assign('/tickets')
  },
  /** From here on this tab speaks for its own user again. */
  drop() {
    sessionStorage.removeItem(KEPT)
    current = null
  },
  /** Back to the company as its operator keeps it. */
  leave() {
    const companyId = current?.visit.companyId
    visiting.drop()
    location.assign(companyId ? `/companiesManager/${companyId}` : '/')
  },
}
