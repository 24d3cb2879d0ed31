import { type Contact, contacts } from '@balcao/contract/contacts.ts'
import { useState } from 'react'
import { call } from '../../../platform/call.ts'
import { notify } from '../../../platform/notify.tsx'
import { queryClient } from '../../../platform/query.ts'
import { useMay } from '../../../platform/session.tsx'
import { CustomerOf } from '../../contacts/customer-of.tsx'
import { contactOptions } from './drawer.api.ts'
import classes from './drawer.module.css'
import { useDrawerText } from './drawer.text.ts'

/** Whose customer it is; a choice is saved at once. */
export function Owner({ contact }: { contact: Contact }) {
  const t = useDrawerText()
  const mayChoose = useMay('contacts:all')
  const [wanted, setWanted] = useState<{ ownerId: number | null } | null>(null)
  async function choose(ownerId: number | null) {
    setWanted({ ownerId })
    await call(contacts.change, { params: { contactId: contact.id }, body: { ownerId } }).then(
      saved => queryClient.setQueryData(contactOptions(contact.id).queryKey, saved),
      notify.failed,
    )
    setWanted(null)
  }
  return (
    <section className={classes.section}>
      <h3>{t('owner')}</h3>
      <CustomerOf
        aria-label={t('owner')}
        value={(wanted ?? contact).ownerId}
        disabled={!mayChoose}
        onChange={ownerId => void choose(ownerId)}
      />
    </section>
  )
}
