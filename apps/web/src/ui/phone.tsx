import { type ReactNode, useEffect, useRef } from 'react'
import { Avatar } from './avatar.tsx'
import classes from './phone.module.css'

interface Props {
  /** Name of the other party. */
  name: string
  /** Below the name: online, typing. */
  status: string
  /** Shown without messages. */
  empty?: string | undefined
  /** Its bubbles, in their order. */
  children: ReactNode
  /** Where the customer writes. */
  writer?: ReactNode
}

/** A customer's phone to try automations on: the newest messages are always visible. */
export function Phone({ name, status, empty, children, writer }: Props) {
  const log = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const end = new ResizeObserver(() => log.current?.scrollTo({ top: log.current.scrollHeight }))
    end.observe(log.current!.firstElementChild!)
    return () => end.disconnect()
  }, [])
  return (
    <div className={classes.phone}>
      <header className={classes.head}>
        <Avatar name={name} size={34} />
        <span className={classes.who}>
          <strong className="one-line">{name}</strong>
          <span role="status">{status}</span>
        </span>
      </header>
      <div
        ref={log}
        className={classes.log}
        role="log"
        aria-label={name}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region is reached by keyboard
        tabIndex={0}
      >
        <div>
          {children}
          {empty && <p className={classes.empty}>{empty}</p>}
        </div>
      </div>
      {writer}
    </div>
  )
}

Phone.Bubble = function PhoneWords({ mine, children }: { mine?: boolean; children: ReactNode }) {
  return (
    <article className={classes.bubble} data-mine={mine || undefined}>
      {children}
    </article>
  )
}
