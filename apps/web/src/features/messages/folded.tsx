import { useState } from 'react'
import classes from './bubble.module.css'
import { Formatted } from './formatted.tsx'
import { shortened } from './messages.fold.ts'
import { useMessageText } from './messages.text.ts'

/** A text whose rest unfolds: one message of many lines must not push the conversation away. */
export function Folded({ text }: { text: string }) {
  const t = useMessageText()
  const [isOpen, setOpen] = useState(false)
  const short = shortened(text)
  if (short === text) return <Formatted text={text} />
  return (
    <>
      <Formatted text={isOpen ? text : `${short}…`} />
      <button type="button" className={classes.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t(isOpen ? 'fold' : 'unfold')}
      </button>
    </>
  )
}
