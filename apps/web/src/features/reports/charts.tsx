import { percentsOf } from '@balcao/contract/reports.rules.ts'
import { whole } from '../../platform/numbers.ts'
import classes from './reports.module.css'
import { useReportText } from './reports.text.ts'

export interface Slice {
  key: string | number
  label: string
  value: number
  /** Label beside the bar; by default the value itself. */
  written?: string
}

const MOST = 6
const RADIUS = 40
const AROUND = 2 * Math.PI * RADIUS

/** Small slices are merged: no more than six can be distinguished. */
function useSlices(slices: Slice[]): Slice[] {
  const t = useReportText()
  const some = slices.filter(({ value }) => value > 0)
  if (some.length <= MOST) return some
  const rest = some.slice(MOST - 1).reduce((sum, { value }) => sum + value, 0)
  return [...some.slice(0, MOST - 1), { key: 'others', label: t('others'), value: rest }]
}

/** Placeholder of a chart without data. */
export function ChartToCome() {
  const t = useReportText()
  return <p className={classes.toCome}>{t('chartToCome')}</p>
}

/** Below this share a slice has no room for its number; it is the last in the list then. */
const NUMBERED = 0.06
const TURN = 2 * Math.PI

/** Position of a slice's number; the ring begins at the right and is rotated upwards. */
const middle = (begun: number, length: number) => {
  const angle = ((begun + length / 2) / AROUND) * TURN
  return { x: 50 + RADIUS * Math.cos(angle), y: 50 + RADIUS * Math.sin(angle) }
}

/** A ring of shares, each numbered and named beside it with its count: the colours only help. */
export function Donut({ label, slices }: { label: string; slices: Slice[] }) {
  const shown = useSlices(slices)
  const total = shown.reduce((sum, { value }) => sum + value, 0)
  const shares = percentsOf(shown.map(({ value }) => value))
  if (total === 0) return null
  let begun = 0
  return (
    <figure className={classes.chart} aria-label={label}>
      <svg viewBox="0 0 100 100" className={classes.ring} aria-hidden>
        {shown.map(({ key, value }, place) => {
          const length = (value / total) * AROUND
          const offset = -begun
          const { x, y } = middle(begun, length)
          begun += length
          return (
            <g key={key}>
              <circle
                cx="50"
                cy="50"
                r={RADIUS}
                data-slice={place}
                strokeDasharray={`${Math.max(length - (shown.length > 1 ? 1 : 0), 0.5)} ${AROUND}`}
                strokeDashoffset={offset}
              />
              {shown.length > 1 && length / AROUND >= NUMBERED && (
                <text x={x} y={y} transform={`rotate(90 ${x} ${y})`}>
                  {place + 1}
                </text>
              )}
            </g>
          )
        })}
      </svg>
      <ul className={classes.legend}>
        {shown.map(({ key, label: name, value }, place) => (
          <li key={key}>
            <span className={classes.dot} data-slice={place} aria-hidden>
              {shown.length > 1 && place + 1}
            </span>
            <span className={classes.name}>{name}</span>
            <span className={classes.amount}>
              {whole(value)} · {shares[place]}%
            </span>
          </li>
        ))}
      </ul>
    </figure>
  )
}

/** Horizontal bars, each with its name and its value. */
export function Bars({ label, slices }: { label: string; slices: Slice[] }) {
  const shown = slices.filter(({ value }) => value > 0).slice(0, 2 * MOST)
  const most = Math.max(1, ...shown.map(({ value }) => value))
  if (shown.length === 0) return null
  return (
    <figure className={classes.bars} aria-label={label}>
      <figcaption className={classes.caption}>{label}</figcaption>
      <ul>
        {shown.map(({ key, label: name, value, written }) => (
          <li key={key}>
            <span className={classes.name}>{name}</span>
            <svg className={classes.bar} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden>
              <rect width={Math.max(1, (value / most) * 100)} height="10" />
            </svg>
            <span className={classes.amount}>{written ?? whole(value)}</span>
          </li>
        ))}
      </ul>
    </figure>
  )
}
