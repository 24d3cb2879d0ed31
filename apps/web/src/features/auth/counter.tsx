import classes from './counter.module.css'

/** Illustration: the counter with its bell and the slips of waiting tickets; hidden from screen readers. */
export function Counter() {
  return (
    <svg
      className={classes.counter}
      viewBox="0 0 880 520"
      preserveAspectRatio="xMidYMin slice"
      aria-hidden="true"
    >
      <g stroke="var(--tertiary)" strokeWidth="4" strokeLinecap="round">
        <path d="M440 12v34M344 32l16 31M536 32l-16 31" />
      </g>
      <circle cx="440" cy="96" r="22" fill="var(--tertiary)" />
      <path d="M430 116h20v20h-20z" className={classes.metal} />
      <path d="M290 278a150 150 0 0 1 300 0z" className={classes.metal} />
      <path d="M291 270a149 149 0 0 1 142-141" className={classes.shine} />
      <rect x="264" y="278" width="352" height="24" rx="4" className={classes.metal} />
      <rect x="-400" y="302" width="1680" height="14" fill="var(--tertiary)" />
      <rect x="-400" y="316" width="1680" height="400" className={classes.front} />
      <Slip x={96} number="A 047" />
      <Slip x={620} number="A 048" />
    </svg>
  )
}

/** The torn edge of a slip, from right to left: 21 teeth of 8.2 by 7. */
const TORN = 'l-4.1 7 l-4.1 -7 '.repeat(21)

function Slip({ x, number }: { x: number; number: string }) {
  return (
    <g transform={`translate(${x} 316)`}>
      <path d={`M0 0h172v84 ${TORN}z`} className={classes.paper} />
      <rect width="172" height="7" className={classes.slot} />
      <text x="18" y="36" className={classes.small}>
        Senha
      </text>
      <text x="18" y="72" className={classes.large}>
        {number}
      </text>
    </g>
  )
}
