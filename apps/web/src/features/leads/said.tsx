import { IconCircleCheck } from '@tabler/icons-react'
import classes from './store-page.module.css'

/** What has been done, in place of the form that asked for it; read out as it comes. */
export function Said({ word, hint }: { word: string; hint: string }) {
  return (
    <section className={classes.sheet}>
      <div className={classes.said} role="status">
        <IconCircleCheck size={28} stroke={1.75} aria-hidden />
        <div>
          <p className={classes.word}>{word}</p>
          <p className={classes.quiet}>{hint}</p>
        </div>
      </div>
    </section>
  )
}
