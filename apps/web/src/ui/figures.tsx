import type { ReactNode } from 'react'
import classes from './figures.module.css'

/** Names and values side by side. */
export const FigureList = ({ figures }: { figures: (readonly [name: string, value: ReactNode])[] }) => (
  <dl className={classes.figures}>
    {figures.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
