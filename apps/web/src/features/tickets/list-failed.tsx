import { Button } from '@mantine/core'
import classes from './ticket-list.module.css'
import { useTicketText } from './tickets.text.ts'

/** A list, or its next page, could not be had. */
export function ListFailed({ more, again }: { more?: boolean; again: () => void }) {
  const t = useTicketText()
  return (
    <p className={classes.failed} role="alert">
      {t(more ? 'moreFailed' : 'listFailed')}
      <Button variant="default" size="xs" onClick={again}>
        {t('again')}
      </Button>
    </p>
  )
}
