import { type On, useChipColors } from '../theme/ground.ts'
import classes from './chip.module.css'

/** A queue: filled rectangle with a dot. */
export function Chip({ label, color, on = 'bg-surface' }: { label: string; color: string; on?: On }) {
  const { fill, text, border, dotRing } = useChipColors('chip', color, on)
  return (
    <span className={classes.chip} style={{ background: fill, color: text, borderColor: border }}>
      <span className={classes.dot} style={{ background: color, boxShadow: `0 0 0 1px ${dotRing}` }} />
      <span className="one-line">{label}</span>
    </span>
  )
}

interface PillProps {
  label: string
  color: string
  on?: On
  /** As long as its label, where there is room for it. */
  whole?: boolean
}

/** A tag or category: outlined pill. */
export function Pill({ label, color, on = 'bg-surface', whole }: PillProps) {
  const { text, border } = useChipColors('pill', color, on)
  return (
    <span
      className={classes.pill}
      style={{ color: text, borderColor: border }}
      title={label}
      data-whole={whole}
    >
      <span className="one-line">{label}</span>
    </span>
  )
}
