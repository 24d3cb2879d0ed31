import { IconCircleCheck } from '@tabler/icons-react'
import classes from './store-page.module.css'

/** The result of a form, replacing it; announced to screen readers. */
export function FormResult({ word, hint }: { word: string; hint: string }) {
  return (
    <section className={classes.sheet}>
      <div className={classes.result} role="status">
        <IconCircleCheck size={28} stroke={1.75} aria-hidden />
        <div>
          <p className={classes.word}>{word}</p>
          <p className={classes.quiet}>{hint}</p>
        </div>
      </div>
    </section>
  )
}
