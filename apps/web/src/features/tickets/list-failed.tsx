import { Button } from '@mantine/core'
import { whyNot } from '../../platform/errors.text.ts'
import classes from './ticket-list.module.css'
import { useTicketText } from './tickets.text.ts'

/** A list, or its next page, could not be had. */
export function ListFailed({ error, more, again }: { error?: unknown; more?: boolean; again: () => void }) {
  const t = useTicketText()
  return (
    <p className={classes.failed} role="alert">
      {whyNot(error, t(more ? 'moreFailed' : 'listFailed'))}
      <Button variant="default" size="xs" onClick={again}>
        {t('again')}
      </Button>
    </p>
  )
}
