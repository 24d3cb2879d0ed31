import type { ReactNode } from 'react'
import classes from './page.module.css'

/** A screen of the sheet: its title and actions stand still, what is below scrolls. */
export function Page({
  title,
  count,
  actions,
  children,
}: {
  title: string
  /** How many the page is about. */
  count?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <section className={classes.page}>
      <header className={classes.header}>
        <h1 className={classes.title}>{title}</h1>
        {count && <div className={classes.count}>{count}</div>}
        <div className={classes.actions}>{actions}</div>
      </header>
      <div className={classes.content}>{children}</div>
    </section>
  )
}
