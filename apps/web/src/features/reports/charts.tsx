import { percentsOf } from '@balcao/contract/reports.rules.ts'
import { whole } from '../../platform/numbers.ts'
import classes from './reports.module.css'
import { useReportText } from './reports.text.ts'

export interface Slice {
  key: string | number
  label: string
  value: number
  /** As it is written beside its bar; the value itself unless given. */
  written?: string
}

const MOST = 6
const RADIUS = 40
const AROUND = 2 * Math.PI * RADIUS

/** What is small stands together: no more than six can be told apart. */
function useSlices(slices: Slice[]): Slice[] {
  const t = useReportText()
  const some = slices.filter(({ value }) => value > 0)
  if (some.length <= MOST) return some
  const rest = some.slice(MOST - 1).reduce((sum, { value }) => sum + value, 0)
  return [...some.slice(0, MOST - 1), { key: 'others', label: t('others'), value: rest }]
}

/** A ring of shares, each named beside it with its count: the colours only help. */
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
          begun += length
          return (
            <circle
              key={key}
              cx="50"
              cy="50"
              r={RADIUS}
              data-slice={place}
              strokeDasharray={`${Math.max(length - (shown.length > 1 ? 1 : 0), 0.5)} ${AROUND}`}
              strokeDashoffset={offset}
            />
          )
        })}
      </svg>
      <ul className={classes.legend}>
        {shown.map(({ key, label: name, value }, place) => (
          <li key={key}>
            <span className={classes.dot} data-slice={place} aria-hidden />
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

/** Bars that lie, each with its name and what it stands for. */
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

/** A column for each day; its table says every number. */
export function Columns({ label, values }: { label: string; values: { key: string; value: number }[] }) {
  const most = Math.max(1, ...values.map(({ value }) => value))
  const width = 100 / Math.max(1, values.length)
  return (
    <svg
      className={classes.columns}
      viewBox="0 0 100 40"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {values.map(({ key, value }, place) => (
        <rect
          key={key}
          x={place * width}
          y={40 - (value / most) * 40}
          width={width * 0.8}
          height={(value / most) * 40}
        >
          <title>{`${key}: ${value}`}</title>
        </rect>
      ))}
    </svg>
  )
}
