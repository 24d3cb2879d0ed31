/** How far a list was scrolled and how many of its pages were loaded; kept while the tab is open, also over a reload. */
interface Scrolled {
  top: number
  pages: number
}

const KEPT = 'ticketsScroll'
/** Searches make lists without end; the oldest places are forgotten. */
const MOST = 50

let places: Map<string, Scrolled> | null = null

/** Read when the first list asks, and kept when the tab goes. */
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
