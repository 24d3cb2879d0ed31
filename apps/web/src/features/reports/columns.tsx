import { whole } from '../../platform/numbers.ts'
import { axisFor } from './axis.ts'
import classes from './columns.module.css'

export interface ColumnOf {
  key: string | number
  /** Its whole name, and how the axis writes it. */
  name: string
  short: string
  value: number
}

/** So many names fit side by side on a phone. */
const NAMES = 9
/** So few columns have room for their numbers above them. */
const NUMBERED = 12

/** Columns over an axis of counts; a table beside it lists every number. */
export function Columns({ label, columns }: { label: string; columns: ColumnOf[] }) {
  const axis = axisFor(Math.max(...columns.map(({ value }) => value)))
  const most = axis.at(-1)!
  const every = Math.ceil(columns.length / NAMES)
  return (
    <div className={classes.plot} role="img" aria-label={label}>
      <div className={classes.axis} aria-hidden>
        {axis.toReversed().map(line => (
          <span key={line}>{whole(line)}</span>
        ))}
      </div>
      <div className={classes.field} aria-hidden>
        {axis.map(line => (
          <i key={line} className={classes.line} style={{ bottom: `${(line / most) * 100}%` }} />
        ))}
        {columns.map(({ key, name, value }) => (
          <div key={key} className={classes.column} title={`${name}: ${whole(value)}`}>
            {columns.length <= NUMBERED && value > 0 && <span className={classes.value}>{whole(value)}</span>}
            <div className={classes.bar} style={{ height: `${(value / most) * 100}%` }} />
          </div>
        ))}
      </div>
      <div className={classes.names} aria-hidden>
        {columns.map(({ key, short }, place) => (
          <span key={key}>{place % every === 0 && <b>{short}</b>}</span>
        ))}
      </div>
    </div>
  )
}
