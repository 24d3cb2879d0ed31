import { type ReactNode, useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import classes from './revenue.module.css'

interface Props {
  /** What it counts; the title of the dialog. */
  name: string
  written: string
  isEmpty: boolean
  /** The rows behind it. */
  children: ReactNode
}

/** A figure that opens the rows behind it. */
export function Figure({ name, written, isEmpty, children }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  if (isEmpty) return written
  return (
    <>
      <button
        type="button"
        className={classes.figure}
        aria-label={`${name}, ${written}`}
        onClick={() => setIsOpen(true)}
      >
        {written}
      </button>
      {isOpen && (
        <Dialog title={name} size={720} onClose={() => setIsOpen(false)}>
          {children}
        </Dialog>
      )}
    </>
  )
}
