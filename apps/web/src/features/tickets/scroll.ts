import { ofPerson } from '../../platform/person.ts'

/**
 * Scroll position of a list and its number of loaded pages; kept while the tab is open, also over a reload.
 */
interface Scrolled {
  top: number
  pages: number
}

const KEPT = 'ticketsScroll'
/** The number of searches is unlimited; the oldest positions are dropped. */
const MOST = 50

let places: Map<string, Scrolled> | null = null

ofPerson(() => places?.clear())

/** Read at the first access, and written when the tab is closed. */
function known(): Map<string, Scrolled> {
  if (places) return places
  const all = new Map<string, Scrolled>(JSON.parse(sessionStorage.getItem(KEPT) ?? '[]'))
  window.addEventListener('pagehide', () => sessionStorage.setItem(KEPT, JSON.stringify([...all])))
  places = all
  return all
}

export const scrollOf = (list: object): Scrolled => known().get(JSON.stringify(list)) ?? { top: 0, pages: 1 }

export function keepScroll(list: object, scrolled: Scrolled) {
  const key = JSON.stringify(list)
  const all = known()
  all.delete(key)
  all.set(key, scrolled)
  if (all.size > MOST) all.delete(all.keys().next().value!)
}
