import type { ReactNode } from 'react'
import classes from './page.module.css'

/** A screen of the sheet: its title and actions stand still, what is below scrolls. */
export function Page({
  title,
  actions,
  children,
}: {
  title: string
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <section className={classes.page}>
      <header className={classes.header}>
        <h1 className={classes.title}>{title}</h1>
        <div className={classes.actions}>{actions}</div>
      </header>
      <div className={classes.content}>{children}</div>
    </section>
  )
}
