import type { ReactNode } from 'react'
import classes from './status.module.css'

export type Tone = 'success' | 'warning' | 'error' | 'info' | 'neutral'

/** Icon, label, soft background: colour is never the only cue. */
export function Status({ tone, icon, children }: { tone: Tone; icon?: ReactNode; children: ReactNode }) {
  return (
    <span className={classes.status} data-tone={tone}>
      {icon}
      {children}
    </span>
  )
}

/** A band in the pane it concerns. */
export function Banner({
  tone,
  icon,
  children,
  action,
}: {
  tone: Tone
  icon: ReactNode
  children: ReactNode
  action?: ReactNode
}) {
  return (
    <div className={classes.banner} data-tone={tone} role="status">
      {icon}
      <span className={classes.words}>{children}</span>
      {action}
    </div>
  )
}
