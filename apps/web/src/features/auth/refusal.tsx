import { IconAlertCircle } from '@tabler/icons-react'
import { errorText } from '../../platform/errors.text.ts'
import classes from './entry-page.module.css'

/** Why the login failed, shown at the form. */
export function Refusal({ error }: { error: unknown }) {
  return (
    <div role="alert">
      {error !== null && (
        <p className={classes.refusal}>
          <IconAlertCircle size={16} aria-hidden />
          {errorText(error)}
        </p>
      )}
    </div>
  )
}
