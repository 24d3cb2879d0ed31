import classes from './badge.module.css'

type Look = 'solid' | 'neutral' | 'tertiary' | 'late'

/** A count, capped at 99+; nothing when there is none. */
export function Badge({ count, look, label }: { count: number; look: Look; label?: string }) {
  if (count <= 0 && look !== 'solid' && look !== 'neutral') return null
  return (
    <span className={classes.badge} data-look={look}>
      <span aria-hidden={label !== undefined}>{count > 99 ? '99+' : count}</span>
      {label && <span className="sr-only">{label}</span>}
    </span>
  )
}
