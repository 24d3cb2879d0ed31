import { IconHistory, IconX } from '@tabler/icons-react'
import { IconButton } from '../../ui/icon-button.tsx'
import { recentSearches, useRecentSearches } from './recent-searches.ts'
import classes from './ticket-pane.module.css'
import { useFilterText } from './tickets.filters.text.ts'

/** Recent searches, to be repeated. */
export function RecentList({ onPick }: { onPick(words: string): void }) {
  const f = useFilterText()
  const recent = useRecentSearches()
  if (recent.length === 0) return null
  return (
    <section className={classes.recent} aria-label={f('recent')}>
      <IconHistory size={16} stroke={1.75} aria-hidden />
      {recent.map(words => (
        <button key={words} type="button" className="one-line" onClick={() => onPick(words)}>
          {words}
        </button>
      ))}
      <IconButton small label={f('forgetRecent')} onClick={recentSearches.clear}>
        <IconX size={16} />
      </IconButton>
    </section>
  )
}
