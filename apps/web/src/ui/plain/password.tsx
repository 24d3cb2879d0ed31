import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useState } from 'react'
import { usePasswordText } from '../password.text.ts'
import { type FieldProps, PlainField } from './field.tsx'
import classes from './plain.module.css'

/** A password on a page outside; its button is labelled with what pressing it does now. */
export function PlainPassword(props: FieldProps) {
  const t = usePasswordText()
  const [shown, setShown] = useState(false)
  const Eye = shown ? IconEyeOff : IconEye
  return (
    <PlainField
      {...props}
      type={shown ? 'text' : 'password'}
      button={
        <button
          type="button"
          className={classes.inField}
          aria-label={t(shown ? 'hide' : 'show')}
          aria-pressed={shown}
          tabIndex={-1}
          onClick={() => setShown(!shown)}
        >
          <Eye size={20} stroke={1.5} aria-hidden />
        </button>
      }
    />
  )
}
