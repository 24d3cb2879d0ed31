import classes from './system.module.css'

const RADIUS = 15.5
const ROUND = 2 * Math.PI * RADIUS
/** From here on it is full, or nearly. */
const HIGH = 0.8

interface Props {
  label: string
  value: number
  max: number
  /** The value as it is read. */
  shown: string
}

/** Usage of a resource: a ring with its figure. */
export function Gauge({ label, value, max, shown }: Props) {
  const part = Math.min(1, Math.max(0, value / max))
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers draw a meter each in their own way, and not as a ring
    <span
      className={classes.gauge}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(max, Math.max(0, value))}
      aria-valuetext={shown}
    >
      <svg viewBox="0 0 36 36" aria-hidden="true" data-high={part >= HIGH || undefined}>
        <circle cx="18" cy="18" r={RADIUS} />
        <circle cx="18" cy="18" r={RADIUS} strokeDasharray={`${part * ROUND} ${ROUND}`} />
      </svg>
      <span aria-hidden="true">{shown}</span>
    </span>
  )
}
