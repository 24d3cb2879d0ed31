import { IconArrowLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useGoTo } from './go-to.ts'
import { IconButton } from './icon-button.tsx'
import classes from './page.module.css'
import { useNamesWindow } from './screen-title.ts'

/** A screen of the sheet: its title and actions are fixed, what is below scrolls. */
export function Page({
  title,
  count,
  back,
  actions,
  children,
}: {
  title: string
  /** How many the page is about. */
  count?: ReactNode
  /** The parent screen. */
  back?: { path: string; label: string } | undefined
  actions?: ReactNode
  children: ReactNode
}) {
  useNamesWindow(title)
  return (
    <section className={classes.page}>
      <header className={classes.header}>
        {back && <Back {...back} />}
        <h1 className={classes.title}>{title}</h1>
        {count && <div className={classes.count}>{count}</div>}
        <div className={classes.actions}>{actions}</div>
      </header>
      <div className={classes.content}>{children}</div>
    </section>
  )
}

function Back({ path, label }: { path: string; label: string }) {
  const goTo = useGoTo()
  return (
    <IconButton label={label} onClick={() => goTo(path)}>
      <IconArrowLeft size={20} stroke={1.75} />
    </IconButton>
  )
}
