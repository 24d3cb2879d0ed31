import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { Badge } from './badge.tsx'
import classes from './tabs.module.css'

interface Tab<V extends string> {
  value: V
  label: ReactNode
  /** Number of entries; its badge is solid while the tab is shown. */
  count?: number | undefined
  hint?: string
}

interface Props<V extends string> {
  label: string
  value: V
  tabs: Tab<V>[]
  onChange(value: V): void
}

/** Underlined tabs. One of them is in the tab order, arrows, Home and End move between them. */
export function Tabs<V extends string>({ label, value, tabs, onChange }: Props<V>) {
  const list = useRef<HTMLDivElement>(null)
  function move(event: KeyboardEvent) {
    const at = tabs.findIndex(tab => tab.value === value)
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[event.key]
    const next = to === undefined ? undefined : tabs.at(to % tabs.length)
    if (!next) return
    event.preventDefault()
    onChange(next.value)
    list.current?.querySelectorAll('button')[tabs.indexOf(next)]?.focus()
  }
  return (
    <div ref={list} role="tablist" aria-label={label} className={classes.tabs} onKeyDown={move}>
      {tabs.map(tab => (
        <button
          key={tab.value}
          type="button"
          role="tab"
          aria-selected={tab.value === value}
          tabIndex={tab.value === value ? 0 : -1}
          title={tab.hint}
          className={classes.tab}
          onClick={() => onChange(tab.value)}
        >
          {tab.label}
          {tab.count !== undefined && (
            <Badge count={tab.count} look={tab.value === value ? 'solid' : 'neutral'} />
          )}
        </button>
      ))}
    </div>
  )
}
