import type { User } from '@balcao/contract/users.ts'
import type { OperatorVisit } from '@balcao/contract/visits.ts'

const KEPT = 'visit'

/** A visit of another company, in this tab alone: its user, and its token. */
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

/**
 * A visit begins and ends with a page load, so that no data of one company stays on a screen of the other.
 */
export const visiting = {
  now: () => current,
  begin(next: Visiting) {
    sessionStorage.setItem(KEPT, JSON.stringify(next))
    location.assign('/tickets')
  },
  /** From here on this tab uses its own user's session again. */
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
